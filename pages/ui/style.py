"""The little that the theme file cannot say: tighter margins; what is wide scrolls in a box of its own
and fades where it goes on; a picture's own sliders stand side by side; a long run is not faded between its slices.
``@{name}`` stands for a label of the frame. ``\\3c`` is "<", with which the whole sheet would be taken for markup."""

STYLE = """<style>
:root { --explorer: dressed; }
[data-testid="stMainBlockContainer"] { padding: 2.6rem 2.5rem 3rem; max-width: 1240px; }
[data-testid="stVegaLiteChart"] { max-width: 100%; overflow-x: auto; }
[data-testid="stVegaLiteChart"].vega-embed form.vega-bindings { flex-flow: row wrap; column-gap: 1.5rem; }
[data-testid="stVegaLiteChart"].vega-embed form .vega-bind { flex: 1 1 9rem; width: auto; max-width: 22rem; }
[data-testid="stVegaLiteChart"].vega-embed form .vega-bind label { flex: 1; flex-wrap: nowrap; }
[data-testid="stVegaLiteChart"].vega-embed form .vega-bind-name { min-width: 0; }
[data-testid="stVegaLiteChart"].vega-embed form input[type="range"] { flex: 1; width: auto; min-width: 5rem; }
[class*="st-key-long_run_"] [data-stale="true"] { opacity: 1; transition: none; }
[data-testid="stMarkdownContainer"] table { font-size: 0.92rem; }
[data-testid="stMarkdownContainer"]:has(> table) { overflow-x: auto; }
[data-testid="stMain"] [data-testid="stPageLink-NavLink"] { height: auto; }
[data-testid="stMain"] [data-testid="stPageLink-NavLink"] :is(span, div, p) {
  white-space: normal; overflow: visible; overflow-wrap: anywhere;
}
.katex-display { overflow-x: auto; overflow-y: hidden; margin: 0; padding: 0.35rem 4px 0.35rem 0; text-align: left; }
.katex-display > .katex { text-align: left; }
@property --goes-on { syntax: "\\3c length>"; inherits: false; initial-value: 0px; }
@keyframes goes-on { from { --goes-on: 2.5rem; } to { --goes-on: 0px; } }
:is(.katex-display, [data-testid="stMarkdownContainer"]:has(> table)) {
  mask-image: linear-gradient(to right, #000 calc(100% - var(--goes-on)), #0003);
  animation: goes-on linear both;
  animation-timeline: scroll(self inline);
}
[class*="st-key-snippets"] :is(pre, code) { white-space: pre-wrap !important; overflow-wrap: anywhere; }
[class*="st-key-snippets"] pre { padding: 0.7rem 0.8rem; }
[class*="st-key-snippets"] pre code { font-size: 0.8rem; }
.st-key-notices:has([data-testid="stAlert"]) { padding-top: 1.4rem; }
@media (max-width: 640px) {
  [data-testid="stMainBlockContainer"] { padding: 3rem 0.9rem 2rem; }
  .katex-display > .katex { white-space: normal; }
  [data-testid="stMarkdownContainer"] td:not([style*="right"]) { min-width: 4.2rem; }
  [data-testid="stMarkdownContainer"] table:has(th:nth-child(4)) :is(th, td) {
    padding-inline: 0.25rem; font-size: 0.82rem;
  }
  [class*="st-key-row_names_"] table :is(th, td) { padding-inline: 0.25rem !important; }
  [class*="st-key-row_names_"] td:first-child { min-width: 5.5rem; }
  [class*="st-key-stacked_"] :is(table, tbody, tr, td) { display: block; border: none; }
  [class*="st-key-stacked_"] thead { display: none; }
  [class*="st-key-stacked_"] tr { border-bottom: 1px solid #8886; padding: 0.4rem 0; }
  [class*="st-key-stacked_"] td { padding: 0.1rem 0; }
  [class*="st-key-stacked_"] td:empty { display: none; }
  [class*="st-key-stacked_statements"] td:first-child { font-weight: 600; }
  [class*="st-key-stacked_statements"] td:nth-child(2)::before { content: "@{notes_say} · "; opacity: 0.7; }
  [class*="st-key-stacked_statements"] td:nth-child(3)::before { content: "@{computed} · "; opacity: 0.7; }
}
@media print {
  [data-testid="stSidebar"], [data-testid="stExpandSidebarButton"], [data-testid="stHeader"], [data-testid="stToolbar"],
  [data-testid="stButton"], [data-testid="stDownloadButton"], [data-testid="stPageLink"], .st-key-presenter_bar {
    display: none !important;
  }
  :is(.katex-display, [data-testid="stMarkdownContainer"]) { mask-image: none !important; }
}
</style>"""

SHEET = """<style>
.st-key-su_sheet [data-testid="stMarkdownContainer"] p { margin-bottom: 0.35rem; }
.st-key-su_sheet p:nth-child(2) .katex { display: inline-block; margin: 0.15em 1.1em 0.15em 0; }
@media (min-width: 1250px) {
  .st-key-su_sheet { display: block; columns: 2; column-gap: 2.5rem; }
  .st-key-su_sheet > * { break-inside: avoid; margin-bottom: 1rem; }
  .st-key-su_sheet .katex { white-space: nowrap; }
}
@media print {
  @page { size: A4; margin: 9mm 10mm; }
  html { font-size: 11px; }
  html, body, [data-testid], .st-key-su_sheet code { background: #fff !important; }
  [data-testid="stMain"] * { color: #000 !important; }
  [data-testid="stMainBlockContainer"] { padding: 0 !important; max-width: none !important; }
  [data-testid="stMainBlockContainer"] > [data-testid="stVerticalBlock"] { gap: 0.4rem; display: block; }
  .st-key-su_settings, .st-key-su_opening [data-testid="stMarkdown"], [data-testid="stAlert"] {
    display: none !important;
  }
  .st-key-su_opening h1 { font-size: 14px; padding: 0; }
  .st-key-su_sheet { display: block; columns: 2; column-gap: 7mm; }
  .st-key-su_sheet > * { break-inside: avoid; margin-bottom: 2mm; }
  .st-key-su_sheet [data-testid="stMarkdownContainer"] :is(p, th, td) {
    font-size: 11.6px; line-height: 1.32; margin: 0 0 0.8mm;
  }
  .st-key-su_sheet :is(th, td) { padding: 0.2mm 1mm !important; border-color: #999 !important; }
  .st-key-su_sheet .katex { font-size: 1.06em; white-space: nowrap; }
  .st-key-su_sheet p:nth-child(2) .katex { margin: 0 1.1em 0 0; }
  .st-key-su_sheet code { font-size: 0.9em; padding: 0 !important; line-height: inherit; }
}
</style>"""
"""The sheet of formulas: two columns where there is room; on paper A4, black on white, without anything to press."""
