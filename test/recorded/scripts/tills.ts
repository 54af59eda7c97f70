// test/recorded/scripts/tills.ts — tills at the counter in each version of the terminal interface, with frequent requests.
import { basic, type Caller, type Play, type Reply } from '../play.ts'
import { withoutReceipts } from '../receipts.ts'

export const PARTNER = { 'software-house-id': 'maker', 'installer-id': 'fitter' }

/** The versions, and a till that names none. */
export const VERSIONS = ['v0', 'v1', 'v2', 'none'] as const
export type Version = (typeof VERSIONS)[number]

export const APPROVES = 'VCMDEMOSIP0'
export const SIGNS = 'VCMDEMOSIS0'
export const BY_HAND = '22160001'

/** Longer than any payment that is not kept waiting. */
export const LONG_MS = 60_000

export function tillOf(play: Play, version: Version = 'v2', key = 'demo-api-key'): Caller {
  const accept = version === 'none' ? {} : { accept: `application/connect.${version}+json` }
  return play.as(`till ${version}`, { ...basic(key), ...accept, ...(version === 'v2' ? PARTNER : {}) })
}

/** A caller of the management API. */
export function operatorOf(play: Play, key = 'demo-api-key'): Caller {
  return play.as('operator', basic(key))
}

export const SALE = { transactionType: 'SALE', amount: 2599, currency: 'GBP' }

export function transactionsAt(tid: string, prefix = '/pac'): string {
  return `${prefix}/terminals/${tid}/transactions`
}

/** Starts a transaction. Returns its path, under the prefix of the start. */
export async function start(till: Caller, tid: string, body: object = SALE, prefix = '/pac'): Promise<string> {
  const { json } = await till.post(transactionsAt(tid, prefix), body)
  return `${transactionsAt(tid, prefix)}/${json['requestId']}`
}

/** Starts a transaction, advances time to its end, and reads it. */
export async function whole(play: Play, till: Caller, tid: string, body: object = SALE): Promise<Reply> {
  const path = await start(till, tid, body)
  await play.advance(LONG_MS)
  return look(till, path)
}

/** Reads a transaction or a report. Receipts are recorded in the newest version only. */
export function look(till: Caller, path: string): Promise<Reply> {
  return till.ask('GET', path, till.who === 'till v2' ? {} : { show: withoutReceipts })
}

/** Presses keys of a terminal in order. */
export async function press(play: Play, tid: string, ...keys: readonly object[]): Promise<void> {
  for (const key of keys) {
    await operatorOf(play).post(`/sandbox/terminals/${tid}/keys`, key)
    await play.advance(3_000)
  }
}
