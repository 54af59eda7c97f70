// src/api/describe/pages/docs-nav.ts — the navigation bar of guides and references.
import { escapeHtml } from './html.ts'

const REFERENCES = [
  { path: '/docs/guides', name: 'Guides' },
  { path: '/docs', name: 'REST' },
  { path: '/docs/socket', name: 'WebSocket' },
  { path: '/docs/cards', name: 'Test cards' },
] as const

export type ReferencePath = (typeof REFERENCES)[number]['path']

/** @param here path of the current page */
export function docsNav(here: ReferencePath): string {
  const links = REFERENCES.map(
    ({ path, name }) => `<a href="${path}"${path === here ? ' aria-current="page"' : ''}>${escapeHtml(name)}</a>`,
  )
  return `<nav class="docs" aria-label="Documentation"><a class="home" href="/">Tollgate</a>${links.join('')}</nav>`
}

/** Style of the bar. Its selectors are scoped to the bar, because the pages have styles of their own. */
export const DOCS_NAV_STYLE = `body { margin: 0; }
nav.docs {
  display: flex;
  flex-wrap: wrap;
  gap: 0.25rem;
  align-items: center;
  margin: 0;
  padding: 0.6rem 1.25rem;
  background: #14352a;
  font: 15px/1.4 system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif;
}
nav.docs a {
  padding: 0.35rem 0.8rem;
  border: 0;
  border-radius: 0.4rem;
  background: none;
  color: #cfe6dc;
  text-decoration: none;
}
nav.docs a.home { padding-left: 0; margin-right: 0.75rem; font-weight: 600; color: #ffffff; }
nav.docs a[aria-current] { background: #0b6e4f; color: #ffffff; }
nav.docs a:hover { color: #ffffff; }
nav.docs a:focus-visible { outline: 3px solid #ffd166; outline-offset: 1px; }
`
