// docs/site/site.ts — renders all pages under docs for the gateway, with their navigation and the index of the search.
import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import MiniSearch from 'minisearch'
import { SEARCH_OPTIONS, type SearchEntry } from '../../web/guides/search-options.ts'
import { type Heading, parseMarkdown, type RenderedPage, renderMarkdown } from './markdown.ts'

const FOLDER = fileURLToPath(new URL('..', import.meta.url))
const PATH = '/docs/guides'
const INDEX = 'README.md'
/** Where the guides say that the gateway listens. A link to it stays on the gateway that shows the guide. */
const DEFAULT_ORIGIN = /^http:\/\/127\.0\.0\.1:4020(?=\/|$)/
/** Characters of a section that a result of the search shows. */
const EXCERPT = 160

export interface SitePage {
  readonly title: string
  readonly html: string
  readonly headings: readonly Heading[]
}

/** As `dist/guides/manifest.json` has it. */
export interface Site {
  /** By address below the folder of the guides; the index is ''. */
  readonly pages: Readonly<Record<string, SitePage>>
  readonly nav: readonly {
    readonly heading: string
    readonly links: readonly { readonly path: string; readonly name: string }[]
  }[]
}

/** Renders everything. Files: by name, pictures and the index of the search. */
export function renderSite(): { readonly site: Site; readonly files: ReadonlyMap<string, Uint8Array> } {
  const files = new Map<string, Uint8Array>()
  const sources = ['', 'decisions/'].flatMap(folder =>
    readdirSync(join(FOLDER, folder))
      .filter(name => name.endsWith('.md'))
      .map(name => folder + name),
  )
  const known = new Set(sources)
  const rendered = new Map<string, RenderedPage>()
  for (const source of sources) {
    const addressOf = (target: string) => addressIn(source, target, known, files)
    rendered.set(source, renderMarkdown(readFileSync(join(FOLDER, source), 'utf8'), addressOf))
  }
  files.set('search.json', Buffer.from(JSON.stringify(searchIndex(rendered))))
  const pages = Object.fromEntries(
    [...rendered].map(([source, { title, html, headings }]) => [slugOf(source), { title, html, headings }]),
  )
  return { site: { pages, nav: navigation() }, files }
}

/** @throws Error when nothing that the gateway serves has this name */
function addressIn(source: string, target: string, known: ReadonlySet<string>, files: Map<string, Uint8Array>): string {
  if (target.startsWith('#')) return target
  if (DEFAULT_ORIGIN.test(target)) return target.replace(DEFAULT_ORIGIN, '') || '/'
  if (/^[a-z]+:/.test(target)) return target
  const [path = '', anchor] = target.split('#')
  const named = normalize(join(dirname(source), path))
  if (known.has(named)) return pathOf(named) + (anchor === undefined ? '' : `#${anchor}`)
  if (!named.startsWith('pictures/'))
    throw new Error(`docs/${source} links to ${target}, which the gateway does not serve`)
  files.set(basename(named), readFileSync(join(FOLDER, named)))
  return `${PATH}/files/${basename(named)}`
}

/** The headings of the index with the links below each. */
function navigation(): Site['nav'] {
  const nav: { heading: string; links: { path: string; name: string }[] }[] = []
  const tokens = parseMarkdown(readFileSync(join(FOLDER, INDEX), 'utf8'))
  for (const [index, { type, content, children }] of tokens.entries()) {
    if (type !== 'inline') continue
    if (tokens[index - 1]?.tag === 'h2') nav.push({ heading: content, links: [] })
    for (const [at, child] of (children ?? []).entries())
      if (child.type === 'link_open')
        nav.at(-1)?.links.push({ path: pathOf(String(child.attrGet('href'))), name: children?.[at + 1]?.content ?? '' })
  }
  return nav
}

function searchIndex(pages: ReadonlyMap<string, RenderedPage>): MiniSearch<SearchEntry> {
  const index = new MiniSearch<SearchEntry>(SEARCH_OPTIONS)
  for (const [source, { title, sections }] of pages)
    for (const { id, text, body } of sections)
      index.add({ id: `${pathOf(source)}#${id}`, heading: text, guide: title, body, excerpt: body.slice(0, EXCERPT) })
  return index
}

function slugOf(source: string): string {
  return source.replace(/(^|\/)README\.md$/, '').replace(/\.md$/, '')
}

function pathOf(source: string): string {
  return [PATH, slugOf(source)].filter(part => part !== '').join('/')
}
