// src/api/describe/pages/guides.ts — renders the pages of the guides from dist/guides.
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { extname } from 'node:path'
import { Fault } from '../../../engine/fault.ts'
import { memoise } from '../../../engine/memoise.ts'
import { PACKAGE_FOLDER } from '../../package-folder.ts'
import { docsNav } from './docs-nav.ts'
import { escapeHtml, HTML_TYPE, page } from './html.ts'
import { webEntry } from './web-files.ts'

export const GUIDES_PATH = '/docs/guides'
const FOLDER = new URL('dist/guides/', PACKAGE_FOLDER)

/** Cached pages and files: all of them, about a hundred. */
const CACHED = 200

const TYPES: Readonly<Record<string, string>> = { '.json': 'application/json; charset=utf-8', '.png': 'image/png' }

interface Guide {
  readonly title: string
  readonly html: string
  readonly headings: readonly { readonly id: string; readonly text: string }[]
}

interface Manifest {
  /** By address below the folder of the guides; the index is ''. */
  readonly pages: Readonly<Record<string, Guide>>
  readonly nav: readonly {
    readonly heading: string
    readonly links: readonly { readonly path: string; readonly name: string }[]
  }[]
}

export interface GuideFile {
  readonly bytes: Uint8Array
  readonly mediaType: string
  /** Strong ETag, derived from the bytes. */
  readonly etag: string
}

/**
 * Returns the page of a guide. Null when there is none of this name.
 * @param name address below the folder of the guides; '' is the index
 * @throws Fault `web_missing` when nothing was built
 */
export const guidePage = memoise(CACHED, (name: string): GuideFile | null => {
  const { pages } = manifest()
  const guide = Object.hasOwn(pages, name) ? pages[name] : undefined
  return guide === undefined ? null : tagged(documentOf(name, guide), HTML_TYPE)
})

/** Returns a picture or the index of the search. Null when there is none of this name. */
export const guideFile = memoise(CACHED, (name: string): GuideFile | null => {
  const mediaType = TYPES[extname(name)]
  const url = new URL(encodeURIComponent(name), FOLDER)
  if (mediaType === undefined || name === 'manifest.json' || !existsSync(url)) return null
  return tagged(readFileSync(url), mediaType)
})

function documentOf(name: string, { title, html, headings }: Guide): Uint8Array {
  const { script, style } = webEntry('guides')
  const here = name === '' ? GUIDES_PATH : `${GUIDES_PATH}/${name}`
  const contents = headings.map(({ id, text }) => `<li><a href="#${id}">${escapeHtml(text)}</a></li>`).join('')
  const inside = contents === '' ? '' : `<ul aria-label="On this page">${contents}</ul>`
  const link = ({ path, name: text }: { readonly path: string; readonly name: string }) =>
    path === here
      ? `<li><a href="${path}" aria-current="page">${escapeHtml(text)}</a>${inside}</li>`
      : `<li><a href="${path}">${escapeHtml(text)}</a></li>`
  const groups = manifest().nav.map(
    ({ heading, links }) => `<p>${escapeHtml(heading)}</p>\n<ul>${links.map(link).join('\n')}</ul>`,
  )
  return page({
    title: name === '' ? 'Tollgate guides' : `${title} · Tollgate`,
    head: `<link rel="stylesheet" href="/assets/style.css">
<link rel="stylesheet" href="/assets/nav.css">
<link rel="stylesheet" href="${style}">
<script src="${script}" defer></script>`,
    body: `<a class="skip" href="#guide">Skip to the text</a>
${docsNav('/docs/guides')}
<div class="guides">
<aside aria-label="Guides">
<form id="guide-search" role="search" hidden>
<label for="guide-query">Search the guides</label>
<input type="search" id="guide-query" autocomplete="off" spellcheck="false" maxlength="100">
<p role="status"></p>
<ol aria-label="Results"></ol>
</form>
<details id="guide-list" open><summary>All guides</summary>
<nav aria-label="All guides">
${groups.join('\n')}
</nav></details>
</aside>
<main id="guide" tabindex="-1">
${html}</main>
</div>`,
  })
}

function tagged(bytes: Uint8Array, mediaType: string): GuideFile {
  return { bytes, mediaType, etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"` }
}

let known: Manifest | null = null

function manifest(): Manifest {
  try {
    known ??= JSON.parse(readFileSync(new URL('manifest.json', FOLDER), 'utf8')) as Manifest
    return known
  } catch (cause) {
    throw new Fault('web_missing', { detail: 'dist/guides', cause })
  }
}
