// test/upgrade/questions-about.ts — lists the HTTP requests that show the given records.
import type { Question } from './fixture.ts'
import type { DecodedRecord } from './program/decoded-records.ts'

const V0 = { accept: 'application/connect.v0+json' }
const V1 = { accept: 'application/connect.v1+json' }

/** Only pages that were full at the kill are requested: they do not change. */
const EVENTS_PAGE = 200

/** One in this many transactions is read in the older versions too. */
const OLDER_EVERY = 5

/** @param tokens access tokens by account */
export function questionsAbout(
  records: readonly DecodedRecord[],
  accounts: readonly string[],
  tokens: Readonly<Record<string, readonly string[]>>,
): readonly Question[] {
  return accounts.flatMap(account => {
    const own = records.filter(each => each.account === account)
    const paths = [...ACCOUNT_PATHS, ...eventPages(own), ...own.flatMap(each => PATHS[each.kind]?.(each) ?? [])]
    const asked = paths.map((path): Question => ({ account, by: 'apiKey', method: 'GET', path }))
    const older = own
      .filter(({ kind }) => kind === 'terminal-transaction' || kind === 'report')
      .filter((_, index) => index % OLDER_EVERY === 0)
      .flatMap(each =>
        [V0, V1].map(
          (headers): Question => ({ account, by: 'apiKey', method: 'GET', path: pathAtTerminal(each), headers }),
        ),
      )
    const paid = (tokens[account] ?? []).map(
      (token): Question => ({ account, by: 'jwt', method: 'GET', path: `/v1/payments/${token}` }),
    )
    return [...asked, ...older, ...paid]
  })
}

const ACCOUNT_PATHS = [
  '/api/account',
  '/api/terminals',
  '/api/transactions?limit=200',
  '/api/reports?limit=200',
  '/api/tables?limit=200',
  '/api/payments?limit=200',
  '/api/jwt-keys',
  '/pac/terminals',
  '/pat/tables?receipt=true',
  '/pat/reports',
  '/sandbox/terminals',
  '/sandbox/scenarios',
  '/sandbox/scenarios/house-special',
  '/sandbox/snapshots',
  '/sandbox/waiters',
  '/sandbox/online/scenarios',
  '/sandbox/online/authentications',
]

const PATHS: Readonly<Record<string, (record: DecodedRecord) => readonly string[]>> = {
  'terminal-transaction': record => [
    `/api/transactions/${record.id}`,
    `/api/transactions/${record.id}/events`,
    `/api/transactions/${record.id}/timeline`,
    `/sandbox/transactions/${record.id}/scenario`,
    pathAtTerminal(record),
  ],
  report: record => [`/api/reports/${record.id}`, pathAtTerminal(record)],
  table: ({ id, record }) => [
    `/api/tables/${id}`,
    `/api/tables/${id}/events`,
    `/pat/tables/${encodeURIComponent((record as { readonly name: string }).name)}?receipt=true`,
  ],
  'online-payment': ({ id }) => [`/api/payments/${id}`, `/api/payments/${id}/timeline`],
  // Only where one exists: the request would create it.
  'webhook-secrets': () => ['/api/webhook-secret'],
  'webhook-delivery': ({ id }) => [`/api/webhooks/${id}`],
  terminal: ({ id }) => [`/pac/terminals/${id}`, `/sandbox/terminals/${id}`, `/sandbox/terminals/${id}/scenarios`],
}

function pathAtTerminal({ kind, id, parent }: DecodedRecord): string {
  return `/pac/terminals/${parent}/${kind === 'report' ? 'reports' : 'transactions'}/${id}`
}

/** Each page starts after the cursor of an event. */
function eventPages(own: readonly DecodedRecord[]): readonly string[] {
  const cursors = own.flatMap(({ events }) => events.map(({ cursor }) => cursor)).toSorted((one, other) => one - other)
  return Array.from({ length: Math.floor(cursors.length / EVENTS_PAGE) }, (_, page) => {
    const after = page === 0 ? 0 : cursors[page * EVENTS_PAGE - 1]
    return `/api/events?after=${after}&limit=${EVENTS_PAGE}`
  })
}
