document.getElementById("editor")?.removeAttribute("hidden");
