// src/api/describe/pages/reference.ts — the API reference: a self-hosted Swagger UI over /openapi.json.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { memoise } from '../../../engine/memoise.ts'
import { docsNav } from './docs-nav.ts'
import { page } from './html.ts'
import { webEntry } from './web-files.ts'

/** Media types of the Swagger UI files that the page loads. */
const FILES: Readonly<Record<string, string>> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
}

/** @throws Fault `web_missing` when nothing was built. */
export function referencePage(): Uint8Array {
  const { script, style } = webEntry('reference')
  return page({
    title: 'Tollgate API reference',
    head: `<link rel="stylesheet" href="/docs/swagger-ui.css">
<link rel="stylesheet" href="/assets/nav.css">
<link rel="stylesheet" href="${style}">
<script src="/docs/swagger-ui-bundle.js" defer></script>
<script src="${script}" defer></script>`,
    body: `${docsNav('/docs')}
<div id="reference"></div>
<noscript><a href="/openapi.json">OpenAPI description</a></noscript>`,
  })
}

export interface PageFile {
  readonly bytes: Uint8Array
  readonly mediaType: string
}

/** Returns a file of the reference. Null when there is none of this name. */
export function referenceFile(name: string): PageFile | null {
  const mediaType = Object.hasOwn(FILES, name) ? FILES[name] : undefined
  return mediaType === undefined ? null : { bytes: bytesOf(name), mediaType }
}

/** Reads each file on first use. */
const bytesOf = memoise(Object.keys(FILES).length, name => readFileSync(join(folder(), name)))

function folder(): string {
  const require = createRequire(import.meta.url)
  return join(dirname(require.resolve('@fastify/swagger-ui')), 'static')
}
