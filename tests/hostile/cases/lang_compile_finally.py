# expect: time_limit,policy_error,memory_limit
# goal: nested finally blocks that double the compiler's work
# raw: time_limit,memory_limit,policy_error
def f():
 try:
  pass
 finally:
  try:
   pass
  finally:
   try:
    pass
   finally:
    try:
     pass
    finally:
     try:
      pass
     finally:
      try:
       pass
      finally:
       try:
        pass
       finally:
        try:
         pass
        finally:
         try:
          pass
         finally:
          try:
           pass
          finally:
           try:
            pass
           finally:
            try:
             pass
            finally:
             try:
              pass
             finally:
              try:
               pass
              finally:
               try:
                pass
               finally:
                try:
                 pass
                finally:
                 try:
                  pass
                 finally:
                  try:
                   pass
                  finally:
                   try:
                    pass
                   finally:
                    pass
def multi_head_attention(Q, K, V, num_heads):
    return Q * 0
