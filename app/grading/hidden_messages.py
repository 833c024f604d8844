"""Messages of Python and NumPy that a hidden test may show; @ is a size, a shape or a type.

What stands for @ is checked word by word; a message that is not here is not shown.
"""

from __future__ import annotations

import re

_MESSAGES = """
unsupported operand type(s) for @: '@' and '@'
bad operand type for unary @: '@'
can only concatenate @ (not "@") to @
can't multiply sequence by non-int of type '@'
'@' object is not subscriptable
'@' object is not callable
'@' object is not iterable
'@' object has no attribute '@'
'@' object cannot be interpreted as an integer
'@' object does not support item assignment
object of type '@' has no len()
cannot unpack non-iterable @ object
not enough values to unpack (expected @, got @)
too many values to unpack (expected @)
@() missing @ required positional argument: '@'
@() missing @ required positional arguments: '@' and '@'
@() takes @ positional arguments but @ were given
@() takes @ positional argument but @ were given
@() got an unexpected keyword argument '@'
list index out of range
list assignment index out of range
tuple index out of range
list indices must be integers or slices, not @
tuple indices must be integers or slices, not @
slice indices must be integers or None or have an __index__ method
division by zero
float division by zero
integer division or modulo by zero
math domain error
math range error
unhashable type: '@'
maximum recursion depth exceeded
maximum recursion depth exceeded in comparison
maximum recursion depth exceeded while calling a Python object
operands could not be broadcast together with shapes @ @
operands could not be broadcast together with shapes @ @ @
operands could not be broadcast together with remapped shapes [original->remapped]: @
could not broadcast input array from shape @ into shape @
non-broadcastable output operand with shape @ doesn't match the broadcast shape @
matmul: Input operand @ has a mismatch in its core dimension @, with gufunc signature @ (size @ is different from @)
matmul: Input operand @ does not have enough dimensions (has @, gufunc core with signature @ requires @)
shapes @ and @ not aligned: @ (dim @) != @ (dim @)
shape mismatch: objects cannot be broadcast to a single shape.  Mismatch is between arg @ with shape @ and arg @ with shape @.
shape mismatch: value array of shape @ could not be broadcast to indexing result of shape @
cannot reshape array of size @ into shape @
can only specify one unknown dimension
index @ is out of bounds for axis @ with size @
index @ is out of bounds for size @
axis @ is out of bounds for array of dimension @
axes don't match array
repeated axis in transpose
repeated axis
cannot select an axis to squeeze out which has size not equal to one
too many indices for array: array is @-dimensional, but @ were indexed
boolean index did not match indexed array along axis @; size of axis is @ but size of corresponding boolean axis is @
only length-1 arrays can be converted to Python scalars
only 0-dimensional arrays can be converted to Python scalars
only integer scalar arrays can be converted to a scalar index
only integers, slices (`:`), ellipsis (`...`), numpy.newaxis (`None`) and integer or boolean arrays are valid indices
The truth value of an array with more than one element is ambiguous. Use a.any() or a.all()
setting an array element with a sequence.
assignment destination is read-only
output array is read-only
all the input array dimensions except for the concatenation axis must match exactly, but along dimension @, the array at index @ has size @ and the array at index @ has size @
all the input arrays must have same number of dimensions, but the array at index @ has @ dimension(s) and the array at index @ has @ dimension(s)
all input arrays must have the same shape
need at least one array to concatenate
need at least one array to stack
zero-dimensional arrays cannot be concatenated
array split does not result in an equal division
zero-size array to reduction operation @ which has no identity
attempt to get argmax of an empty sequence
Singular matrix
Last 2 dimensions of the array must be square
operand has more dimensions than subscripts given in einstein sum, but no '...' ellipsis provided to broadcast the extra dimensions.
Cannot cast ufunc '@' output from dtype('@') to dtype('@') with casting rule 'same_kind'
loop of ufunc does not support argument @ of type @ which has no callable @ method
ufunc '@' not supported for the input types, and the inputs could not be safely coerced to any supported types according to the casting rule ''safe''
""".strip().split("\n")

_NAMES = r"""
name '\w{1,40}' is not defined
name '\w{1,40}' is not defined\. Did you forget to import '\w{1,40}'\?
cannot access local variable '\w{1,40}' where it is not associated with a value
""".strip().split("\n")
"""The name is one that the source spells: no program makes it up as it runs."""


def _pattern(template: str) -> re.Pattern[str]:
    return re.compile(re.escape(template).replace("@", "(.{1,60}?)"), re.DOTALL)


MESSAGES: tuple[re.Pattern[str], ...] = (
    *map(_pattern, _MESSAGES),
    *map(re.compile, _NAMES),
)
"""Each matches a whole message; its groups are what has to be checked."""
