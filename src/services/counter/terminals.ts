// src/services/counter/terminals.ts — finds terminals, their drivers and what runs on them.

import { type Terminal, tableSettingsOf } from '../../domain/accounts/terminal.ts'
import type { TerminalTransaction } from '../../domain/counter/transaction.ts'
import type { MerchantAccountId, RequestId, TerminalId } from '../../domain/ids.ts'
import type { Report } from '../../domain/reports/report.ts'
import { decodeAnyRecord } from '../../engine/all-machines.ts'
import type { Entry, RecordCache } from '../../engine/cache.ts'
import type { Engine } from '../../engine/engine.ts'
import type { Change, Feed } from '../../engine/feed.ts'
import { REPORT, TERMINAL, TERMINAL_TRANSACTION, terminalLockKey } from '../../engine/machines.ts'
import type { Store } from '../../engine/ports/store.ts'
import type { TerminalCapabilities, TerminalDriver, TerminalPresence } from '../../engine/ports/terminal.ts'

/** Access to the drivers of terminals. */
export interface Fleet {
  driverOf(terminal: Terminal): TerminalDriver
  /** The state of the connection; null when not connected. */
  presence(terminal: Terminal): TerminalPresence | null
  /** Capabilities for acquirers; undefined when not known. */
  capabilitiesOf(terminal: Terminal): TerminalCapabilities | undefined
  longestTransactionMsOf(terminal: Terminal): number | undefined
}

/** What runs on a terminal now. A terminal runs one thing at a time. */
export type Live =
  | { readonly kind: 'transaction'; readonly transaction: TerminalTransaction }
  | { readonly kind: 'report'; readonly report: Report }

export interface Terminals {
  readonly fleet: Fleet
  /** A terminal that is not removed, or null. */
  installed(account: MerchantAccountId, tid: TerminalId): Promise<Terminal | null>
  /** An installed and connected terminal, or null. */
  connected(account: MerchantAccountId, tid: TerminalId): Promise<Terminal | null>
  /** An installed and connected terminal that serves tills, or null. */
  atCounter(account: MerchantAccountId, tid: TerminalId): Promise<Terminal | null>
  /** As `atCounter`, with whether tills have to wait for it. */
  stateAtCounter(
    account: MerchantAccountId,
    tid: TerminalId,
  ): Promise<{ readonly terminal: Terminal; readonly busy: boolean } | null>
  /** Whether a waiter is using it, so that tills have to wait. */
  inUse(terminal: Terminal): boolean
  /**
   * What runs on a terminal, from memory when known.
   * @param fresh true to ask the store, after a commit has failed on the cached state
   */
  liveOn(account: MerchantAccountId, tid: TerminalId, fresh?: boolean): Promise<Live | null>
  /** Ids of the last transactions on a terminal, newest first: those that may still wait for its reports. */
  lastOn(account: MerchantAccountId, tid: TerminalId): Promise<readonly string[]>
}

export interface TerminalsParts {
  readonly engine: Engine
  readonly store: Store
  readonly fleet: Fleet
  readonly feed: Feed
  /** Caches what runs on each terminal, because every read of a terminal needs it. */
  readonly cache: RecordCache
}

/** Binds the view of terminals to the engine and the fleet. */
export function createTerminals({ engine, store, fleet, feed, cache }: TerminalsParts): Terminals {
  /** Grows with each update, so that the cache keeps the newest. */
  let revision = 0
  const remember = (account: MerchantAccountId, tid: TerminalId, live: Live | null): void => {
    revision += 1
    const known: KnownLive = { live }
    cache.put({ account, kind: LIVE, id: tid }, known, revision)
  }
  feed.followAll(change => {
    const found = runningIn(change)
    if (found === null) return
    const { account, id } = change
    const known = cache.get({ account, kind: LIVE, id: found.tid })?.record as KnownLive | undefined
    // A finished transaction may still change, when its reversal is done. That must not clear another one that runs.
    if (found.live !== null || (known?.live != null && idOf(known.live) === id))
      remember(account, found.tid, found.live)
  })
  const ifConnected = (terminal: Terminal | null): Terminal | null =>
    terminal === null || fleet.presence(terminal) === null ? null : terminal
  const installed: Terminals['installed'] = async (account, tid) =>
    ifInstalled(await engine.read(TERMINAL, { account, id: tid }))
  const connected: Terminals['connected'] = async (account, tid) => ifConnected(await installed(account, tid))
  async function askLive(account: MerchantAccountId, tid: TerminalId): Promise<Live | null> {
    const before = revision
    const holder = await store.lockHolderOf(account, terminalLockKey(tid))
    const live = holder === null ? null : liveOf(holder.kind, decodeAnyRecord(holder))
    // An update that arrived meanwhile is newer.
    if (revision === before) remember(account, tid, live)
    return live
  }
  const atCounter: Terminals['atCounter'] = async (account, tid) => ifAtCounter(await connected(account, tid))
  const inUse: Terminals['inUse'] = terminal => fleet.presence(terminal)?.inUse === true
  const liveOn: Terminals['liveOn'] = async (account, tid, fresh = false) => {
    const isOld = fresh || engine.isChanging(account, tid)
    const known = isOld ? undefined : cache.get({ account, kind: LIVE, id: tid })
    return known === undefined ? askLive(account, tid) : (known.record as KnownLive).live
  }
  return {
    fleet,
    installed,
    connected,
    atCounter,
    async stateAtCounter(account, tid) {
      const terminal = await atCounter(account, tid)
      if (terminal === null) return null
      return { terminal, busy: inUse(terminal) || (await liveOn(account, tid)) !== null }
    },
    async lastOn(account, tid) {
      const last = await store.list(account, { kind: TERMINAL_TRANSACTION.kind, parent: tid, limit: MOST_LAST })
      return last.map(({ id }) => id)
    },
    inUse,
    liveOn,
  }
}

function ifInstalled(entry: Entry<Terminal> | null): Terminal | null {
  return entry === null || entry.record.status === 'removed' ? null : entry.record
}

function ifAtCounter(terminal: Terminal | null): Terminal | null {
  return terminal !== null && servesTills(terminal) ? terminal : null
}

function idOf(live: Live): string {
  return live.kind === 'report' ? live.report.requestId : live.transaction.requestId
}

/** The transaction or report that occupies a terminal, for the refusal of a start. */
export function occupantOf(live: Live): { readonly requestId: RequestId; readonly awaitsSignature: boolean } {
  return live.kind === 'report'
    ? { requestId: live.report.requestId, awaitsSignature: false }
    : {
        requestId: live.transaction.requestId,
        awaitsSignature: live.transaction.progress === 'awaiting_signature',
      }
}

/** A disconnected terminal starts nothing new, so few transactions can wait for it. Older ones are retried by their delays. */
const MOST_LAST = 20

/** The last known state of a terminal. */
export interface KnownLive {
  readonly live: Live | null
}

/** Kind of the cache entries about terminals. They are never stored. */
export const LIVE = 'live-on-terminal'

function liveOf(kind: string, record: unknown): Live | null {
  switch (kind) {
    case TERMINAL_TRANSACTION.kind:
      return { kind: 'transaction', transaction: record as TerminalTransaction }
    case REPORT.kind:
      return { kind: 'report', report: record as Report }
    default:
      return null
  }
}

/** What a change says about a terminal: what runs on it now, or nothing. Null when it is not about a terminal. */
function runningIn({ kind, record }: Change): { readonly tid: TerminalId; readonly live: Live | null } | null {
  const live = liveOf(kind, record)
  if (live === null) return null
  const { tid, progress } = live.kind === 'report' ? live.report : live.transaction
  return { tid, live: progress === 'finished' ? null : live }
}

/** Whether tills can use a terminal. */
export function servesTills(terminal: Terminal): boolean {
  return tableSettingsOf(terminal.settings).mode !== 'table'
}
