"""The little that the theme file cannot say: tighter margins; what is wide scrolls in a box of its own;
a picture's own sliders stand side by side."""

STYLE = """<style>
:root { --explorer: dressed; }
[data-testid="stMainBlockContainer"] { padding: 2.6rem 2.5rem 3rem; max-width: 1240px; }
[data-testid="stVegaLiteChart"] { max-width: 100%; overflow-x: auto; }
[data-testid="stVegaLiteChart"].vega-embed form.vega-bindings { flex-flow: row wrap; column-gap: 1.5rem; }
[data-testid="stVegaLiteChart"].vega-embed form .vega-bind { flex: 1 1 9rem; width: auto; max-width: 22rem; }
[data-testid="stVegaLiteChart"].vega-embed form .vega-bind label { flex: 1; flex-wrap: nowrap; }
[data-testid="stVegaLiteChart"].vega-embed form .vega-bind-name { min-width: 0; }
[data-testid="stVegaLiteChart"].vega-embed form input[type="range"] { flex: 1; width: auto; min-width: 5rem; }
[data-testid="stMarkdownContainer"] table { font-size: 0.92rem; }
[data-testid="stMarkdownContainer"]:has(> table) { overflow-x: auto; }
.katex-display { overflow-x: auto; overflow-y: hidden; margin: 0; padding: 0.35rem 0; text-align: left; }
.katex-display > .katex { text-align: left; }
.st-key-notices:has([data-testid="stAlert"]) { padding-top: 1.4rem; }
@media (max-width: 640px) { [data-testid="stMainBlockContainer"] { padding: 3rem 0.9rem 2rem; } }
</style>"""
