// src/api/operations/system/page-operations.ts — serves the pages for people: landing page, reference, test cards.
import { TERMINAL } from '../../../engine/machines.ts'
import { connectedTerminalsOf } from '../../../services/counter/connected-terminals.ts'
import { DOCS_NAV_STYLE } from '../../describe/pages/docs-nav.ts'
import { HTML_TYPE, PAGE_HEADERS } from '../../describe/pages/html.ts'
import { type LandingTerminal, landingPage } from '../../describe/pages/landing.ts'
import { type PageFile, referenceFile, referencePage } from '../../describe/pages/reference.ts'
import { SOCKET_REFERENCE_STYLE } from '../../describe/pages/socket-reference.ts'
import { ICON, STYLE } from '../../describe/pages/style.ts'
import { testCardsDocument } from '../../describe/pages/test-cards.ts'
import { type Answer, openOperation, type RequestContext } from '../../operation.ts'

/** Terminals shown on the landing page. */
const MOST_TERMINALS = 100

/** Cached for an hour, so that an update is soon visible. */
const FILE_HEADERS = { ...PAGE_HEADERS, 'cache-control': 'public, max-age=3600' }

const ASSETS: Readonly<Record<string, PageFile>> = {
  'style.css': { bytes: Buffer.from(STYLE), mediaType: 'text/css; charset=utf-8' },
  'docs.css': { bytes: Buffer.from(DOCS_NAV_STYLE + SOCKET_REFERENCE_STYLE), mediaType: 'text/css; charset=utf-8' },
  'nav.css': { bytes: Buffer.from(DOCS_NAV_STYLE), mediaType: 'text/css; charset=utf-8' },
  'icon.svg': { bytes: Buffer.from(ICON), mediaType: 'image/svg+xml' },
}

export const getLandingPage = openOperation({
  name: 'getLandingPage',
  summary: 'The landing page',
  tag: 'Pages',
  area: 'system',
  method: 'GET',
  path: '/',
  responses: { 200: { description: 'A page.', mediaType: 'text/html' } },
  async run(context) {
    const { settings } = context.api
    return html(landingPage(settings, context.base, await publicTerminals(context)))
  },
})

/** In sandbox mode the simulator's operation of this name replaces it. */
export const getTestCardsPage = openOperation({
  name: 'getTestCardsPage',
  summary: 'The test cards',
  tag: 'Pages',
  area: 'system',
  method: 'GET',
  path: '/docs/cards',
  responses: { 200: { description: 'A page.', mediaType: 'text/html' } },
  run: () => html(testCardsDocument('<p>This gateway is live: it refuses test cards.</p>')),
})

export const getReference = openOperation({
  name: 'getReference',
  summary: 'The API reference',
  tag: 'Pages',
  area: 'system',
  method: 'GET',
  path: '/docs',
  responses: { 200: { description: 'A page.', mediaType: 'text/html' } },
  run: () => html(referencePage()),
})

export const getReferenceFile = openOperation({
  name: 'getReferenceFile',
  summary: 'A file of the API reference',
  tag: 'Pages',
  area: 'system',
  method: 'GET',
  path: '/docs/{file}',
  responses: { 200: { description: 'The file.', mediaType: '*/*' } },
  refusals: ['path_unknown'],
  run: (_, { params }) => file(referenceFile(params.file)),
})

export const getAsset = openOperation({
  name: 'getAsset',
  summary: 'A file of the pages',
  tag: 'Pages',
  area: 'system',
  method: 'GET',
  path: '/assets/{file}',
  responses: { 200: { description: 'The file.', mediaType: '*/*' } },
  refusals: ['path_unknown'],
  run: (_, { params }) => file(Object.hasOwn(ASSETS, params.file) ? (ASSETS[params.file] ?? null) : null),
})

function html(bytes: Uint8Array): Answer {
  return { status: 200, bytes, mediaType: HTML_TYPE, headers: PAGE_HEADERS }
}

function file(found: PageFile | null): Answer {
  return found === null ? { refused: { code: 'path_unknown' } } : { status: 200, ...found, headers: FILE_HEADERS }
}

/** Terminals of the public test account, whose key is public. */
async function publicTerminals({ api }: RequestContext): Promise<readonly LandingTerminal[]> {
  const account = api.settings.publicKey?.account
  if (account === undefined) return []
  const [installed, connected] = await Promise.all([
    api.store.list(account, { kind: TERMINAL.kind, live: true, limit: MOST_TERMINALS }),
    connectedTerminalsOf(api, account, {}),
  ])
  const states = new Map(connected.map(({ terminal, status }) => [terminal.tid, status]))
  return installed.toReversed().map(({ id: tid }) => ({ tid, state: states.get(tid) ?? 'UNPLUGGED' }))
}
