// test/upgrade/take-over.ts — steps after the start on an old data directory: advance time, restore a snapshot.
import { equal } from 'node:assert/strict'
import { basic } from '../support/till.ts'
import type { Credentials } from './fixture.ts'
import type { DecodedRecord } from './program/decoded-records.ts'
import type { OpenedDirectory } from './program/opened-directory.ts'

/** Time between the kill and the next start. */
export const START_AFTER_MS = 5_000
/** Longer than each limit of unfinished work. Messages to tills wait longest, for a day. */
const END_MS = 30 * 3_600_000

/** The account whose clock is frozen at the kill. */
const FROZEN = 'demo-eur'
/** The snapshot with records of nearly every kind. */
export const SNAPSHOT = { account: 'demo', name: 'evening' } as const

export async function callAs(
  opened: OpenedDirectory,
  credentials: readonly Credentials[],
  account: string,
  method: string,
  path: string,
  body?: unknown,
): Promise<{ readonly status: number; readonly text: string }> {
  const { apiKey = '' } = credentials.find(each => each.account === account) ?? {}
  return opened.ask(method, path, { authorization: basic(apiKey) }, body)
}

/** Releases the frozen clock and advances time until no work is left. */
export async function liveToTheEnd(opened: OpenedDirectory, credentials: readonly Credentials[]): Promise<void> {
  const { status, text } = await callAs(opened, credentials, FROZEN, 'POST', '/sandbox/clock', { do: 'release' })
  equal(status, 200, text)
  await opened.clock.advance(END_MS)
}

export interface End {
  readonly money: Readonly<Record<string, number>>
  readonly leftOver: readonly string[]
  /** Number of live records, by kind. */
  readonly live: Readonly<Record<string, number>>
  readonly moneyFaults: readonly string[]
  readonly foldFaults: readonly string[]
}

/** The state when no work is left. */
export async function endOf(opened: OpenedDirectory): Promise<End> {
  const live: Record<string, number> = {}
  for (const each of await opened.records()) if (each.live) live[each.kind] = (live[each.kind] ?? 0) + 1
  return {
    live,
    money: await opened.money(),
    leftOver: await opened.leftOver(),
    moneyFaults: await opened.moneyFaults(),
    foldFaults: await opened.foldFaults(),
  }
}

/** Restores the snapshot over the wire, with the account's clock frozen. Returns the records of the account. */
export async function restoreSnapshot(
  opened: OpenedDirectory,
  credentials: readonly Credentials[],
): Promise<readonly DecodedRecord[]> {
  const call = (path: string, body?: unknown) => callAs(opened, credentials, SNAPSHOT.account, 'POST', path, body)
  equal((await call('/sandbox/clock', { do: 'freeze' })).status, 200)
  const { status, text } = await call(`/sandbox/snapshots/${SNAPSHOT.name}/restore`)
  equal(status, 204, text)
  await opened.clock.advance(0)
  return (await opened.records()).filter(({ account }) => account === SNAPSHOT.account)
}
