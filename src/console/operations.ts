// src/console/operations.ts — serves the console of a sandbox. It uses the public API, with the key of the public account.
import { HTML_TYPE } from '../api/describe/pages/html.ts'
import { type Operation, openOperation } from '../api/operation.ts'
import { CONSOLE_HEADERS, consolePage } from './page.ts'

const getConsole = openOperation({
  name: 'getConsole',
  summary: 'The console',
  description:
    'A till, a terminal that can be pressed, and the transactions of the public test account as they happen.',
  tag: 'Pages',
  area: 'sandbox',
  method: 'GET',
  path: '/console',
  responses: { 200: { description: 'A page.', mediaType: 'text/html' } },
  refusals: ['path_unknown'],
  run({ api }) {
    const { publicKey } = api.settings
    if (publicKey === null) return { refused: { code: 'path_unknown' } }
    return { status: 200, bytes: consolePage(publicKey), mediaType: HTML_TYPE, headers: CONSOLE_HEADERS }
  },
})

export const CONSOLE_OPERATIONS: readonly Operation[] = [getConsole]
