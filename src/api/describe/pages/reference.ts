// src/api/describe/pages/reference.ts — the API reference: a self-hosted Swagger UI over /openapi.json.
import { docsNav } from './docs-nav.ts'
import { page } from './html.ts'
import { webEntry, webFile } from './web-files.ts'

/** The files of Swagger UI that the page loads. The build copies them. */
const FILES: readonly string[] = ['swagger-ui.css', 'swagger-ui-bundle.js']

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

/** Returns a file of the reference. Null when there is none of this name. @throws Fault `web_missing` when nothing was built. */
export function referenceFile(name: string): PageFile | null {
  return FILES.includes(name) ? webFile(name) : null
}
