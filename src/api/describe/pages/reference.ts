// src/api/describe/pages/reference.ts — the API reference in the browser: Swagger UI from this machine, reading our description.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { memoise } from '../../../engine/memoise.ts'
import { docsNav } from './docs-nav.ts'
import { page } from './html.ts'

/** The files of Swagger UI that the page loads, with their types. */
const FILES: Readonly<Record<string, string>> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
}

/** Starts Swagger UI. A file of its own, because the page's policy forbids scripts in the page. */
const START = `window.ui = SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  tryItOutEnabled: true,
  displayRequestDuration: true,
  // No request leaves this host.
  validatorUrl: null,
})
`

export const REFERENCE_PAGE = page({
  title: 'Tollgate API reference',
  head: `<link rel="stylesheet" href="/docs/swagger-ui.css">
<link rel="stylesheet" href="/assets/nav.css">
<script src="/docs/swagger-ui-bundle.js" defer></script>
<script src="/docs/start.js" defer></script>`,
  body: `${docsNav('/docs')}
<div id="reference"></div>
<noscript><a href="/openapi.json">OpenAPI description</a></noscript>`,
})

export interface PageFile {
  readonly bytes: Uint8Array
  readonly mediaType: string
}

/** A file of the reference by its name; null when it is none. */
export function referenceFile(name: string): PageFile | null {
  if (name === 'start.js') return { bytes: Buffer.from(START), mediaType: 'text/javascript; charset=utf-8' }
  const mediaType = Object.hasOwn(FILES, name) ? FILES[name] : undefined
  return mediaType === undefined ? null : { bytes: bytesOf(name), mediaType }
}

/** Read once, when somebody first opens the page. */
const bytesOf = memoise(Object.keys(FILES).length, name => readFileSync(join(folder(), name)))

function folder(): string {
  const require = createRequire(import.meta.url)
  return join(dirname(require.resolve('@fastify/swagger-ui')), 'static')
}
