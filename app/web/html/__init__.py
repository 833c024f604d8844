"""From text to HTML: templates, Markdown, highlighted code, the bundle."""
