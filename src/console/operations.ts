// src/console/operations.ts — serves the console: a page that calls the public API, with the key of the public account or the session of a user.
import type { IncomingMessage } from 'node:http'
import { HTML_TYPE } from '../api/describe/pages/html.ts'
import { type Operation, openOperation, type RequestContext } from '../api/operation.ts'
import type { Person } from '../api/people/person.ts'
import { sessionIn } from '../api/people/session-cookie.ts'
import { CONSOLE_HEADERS, consolePage } from './page.ts'

const getConsole = openOperation({
  name: 'getConsole',
  summary: 'The console',
  description:
    'Transactions, payments and requests of an account as they happen, and in a sandbox a till and a terminal that can be pressed. Users of the account sign in; ' +
    'the public test account needs no sign-in.',
  tag: 'Pages',
  area: 'system',
  method: 'GET',
  path: '/console',
  responses: { 200: { description: 'A page.', mediaType: 'text/html' } },
  async run(context) {
    const { mode, publicKey, consoleUrl } = context.api.settings
    const bytes = consolePage({ mode, publicKey, consoleUrl, person: await personOf(context) })
    return { status: 200, bytes, mediaType: HTML_TYPE, headers: CONSOLE_HEADERS }
  },
})

/** Who is signed in, told to a page that a browser shows, and to no script that reads the page. */
async function personOf({ api, request }: RequestContext): Promise<Person | null> {
  const sent = isShown(request) ? sessionIn(request) : null
  return sent === null ? null : api.people.sessions.find(sent.account, sent.id, sent.secret)
}

/** Browsers say what a request is for, and let no script change it. */
function isShown({ headers }: IncomingMessage): boolean {
  return headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document'
}

export const CONSOLE_OPERATIONS: readonly Operation[] = [getConsole]
