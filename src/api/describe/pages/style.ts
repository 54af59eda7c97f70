// src/api/describe/pages/style.ts — the shared style of the pages, and the icon.

export const STYLE = `:root {
  --ground: #f7f6f2;
  --panel: #ffffff;
  --ink: #1d2430;
  --quiet: #5b6472;
  --line: #dcdad2;
  --accent: #0b6e4f;
  --accent-ink: #ffffff;
  --free: #0b6e4f;
  --busy: #9a5b00;
  --off: #8b2f2f;
  --code: #f0eee7;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #12161c;
    --panel: #1a2029;
    --ink: #e7e9ec;
    --quiet: #9aa4b2;
    --line: #2c3542;
    --accent: #4cc79a;
    --accent-ink: #0c1a15;
    --free: #4cc79a;
    --busy: #e0a64a;
    --off: #e08080;
    --code: #10151c;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0;
  background: var(--ground);
  color: var(--ink);
  font: 16px/1.55 system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif;
}
main { max-width: 56rem; margin: 0 auto; padding: 3.5rem 1.25rem 2rem; }
h1 { font-size: 2.4rem; line-height: 1.1; letter-spacing: -0.02em; margin: 0; }
h2 { font-size: 1.1rem; margin: 2.5rem 0 0.75rem; }
p { margin: 0.75rem 0; max-width: 42rem; }
.lead { font-size: 1.15rem; color: var(--quiet); }
.mode {
  display: inline-block;
  margin-left: 0.5rem;
  padding: 0.1rem 0.6rem;
  border: 1px solid var(--line);
  border-radius: 1rem;
  font-size: 0.8rem;
  font-weight: 500;
  letter-spacing: 0;
  vertical-align: middle;
  color: var(--quiet);
}
nav { display: flex; flex-wrap: wrap; gap: 0.6rem; margin: 1.5rem 0 0; }
nav a {
  padding: 0.5rem 0.95rem;
  border: 1px solid var(--line);
  border-radius: 0.5rem;
  background: var(--panel);
  color: var(--ink);
  text-decoration: none;
}
nav a:first-child { background: var(--accent); border-color: var(--accent); color: var(--accent-ink); }
nav a:hover { border-color: var(--accent); }
a:focus-visible, pre:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
pre {
  margin: 0.5rem 0;
  padding: 1rem;
  overflow-x: auto;
  background: var(--code);
  border: 1px solid var(--line);
  border-radius: 0.5rem;
  font: 0.85rem/1.6 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace;
}
.scroll { overflow-x: auto; }
table { width: 100%; border-collapse: collapse; background: var(--panel); border: 1px solid var(--line); }
caption { text-align: left; color: var(--quiet); padding: 0 0 0.5rem; }
th, td { text-align: left; padding: 0.45rem 0.9rem; border-top: 1px solid var(--line); }
th { font-size: 0.8rem; font-weight: 600; color: var(--quiet); }
td:first-child { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-size: 0.9rem; }
.state::before { content: '●'; margin-right: 0.45rem; }
.state-AVAILABLE::before { color: var(--free); }
.state-BUSY::before { color: var(--busy); }
.state-UNPLUGGED::before { color: var(--off); }
footer { margin-top: 3rem; padding-top: 1rem; border-top: 1px solid var(--line); color: var(--quiet); font-size: 0.85rem; }
`

export const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
<rect width="32" height="32" rx="7" fill="#0b6e4f"/>
<path d="M8 26V9m0 4h16" stroke="#fff" stroke-width="3" stroke-linecap="round" fill="none"/>
<path d="M13 13h3m4 0h3" stroke="#0b6e4f" stroke-width="1.5"/>
<circle cx="8" cy="9" r="3" fill="#ffd166"/>
</svg>
`
