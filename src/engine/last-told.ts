// src/engine/last-told.ts — what a terminal has said when it was last asked for its last transaction, as long as nothing
// has happened there since. ADR 28.
import type { Terminal } from '../domain/terminal.ts'
import type { TerminalTransaction } from '../domain/terminal-transaction.ts'
import type { RecordCache } from './cache.ts'
import type { Feed } from './feed.ts'
import { REPORT, TERMINAL, TERMINAL_TRANSACTION } from './machines.ts'
import { type Fleet, type Heard, LIVE } from './terminals.ts'

export interface LastTold {
  /** The DUPLICATE that would only be said again by a terminal that serves this till; null: it has to be asked. */
  again(account: string, tid: string): TerminalTransaction | null
  /** To be called before the terminal is asked. What is returned takes the DUPLICATE that has ended. */
  asking(terminal: Terminal): (ended: TerminalTransaction) => void
}

interface Told {
  readonly duplicate: TerminalTransaction
  /** As it was then. Another object: its settings may be others, or it is gone. */
  readonly terminal: Terminal
  readonly mark: object
}

/** The kind of what is remembered here. It is in no store. */
const TOLD = 'told-by-terminal'

/** Remembers in `cache`, and forgets what the feed shows to be old. */
export function createLastTold({
  fleet,
  feed,
  cache,
}: {
  readonly fleet: Fleet
  readonly feed: Feed
  readonly cache: RecordCache
}): LastTold {
  let lesson = 0
  const keyOf = (account: string, tid: string) => ({ account, kind: TOLD, id: tid })

  // The mark tells of what has reached the terminal, this and `isFree` of what is on its way there.
  feed.followAll(({ account, kind, record }) => {
    const tid = kind === TERMINAL_TRANSACTION.kind || kind === REPORT.kind ? tidOf(record) : null
    if (tid !== null) cache.drop(keyOf(account, tid))
  })

  /** Nothing is on its way to the terminal, as far as is known. */
  function isFree(account: string, tid: string): boolean {
    const heard = cache.get({ account, kind: LIVE, id: tid })
    return heard !== undefined && (heard.record as Heard).live === null
  }

  /** Null: something is going on there, or the make does not say. */
  function markOf(terminal: Terminal): object | null {
    // A terminal with a printer of its own prints the copy, each time it is asked.
    return terminal.settings.printing ? null : (fleet.presence(terminal)?.lastMark ?? null)
  }

  return {
    again(account, tid) {
      const entry = cache.get(keyOf(account, tid))
      if (entry === undefined) return null
      const { duplicate, terminal, mark } = entry.record as Told
      const isSame = cache.get({ account, kind: TERMINAL.kind, id: tid })?.record === terminal
      // With a mark it is connected.
      return isSame && markOf(terminal) === mark && isFree(account, tid) ? duplicate : null
    },
    asking(terminal) {
      const mark = markOf(terminal)
      return ended => {
        if (mark === null || ended.repeated === null || markOf(terminal) !== mark) return
        // The next sale may have begun in the commit in which this one has ended.
        if (!isFree(terminal.merchantAccount, terminal.tid)) return
        lesson += 1
        const told: Told = { duplicate: ended, terminal, mark }
        cache.put(keyOf(terminal.merchantAccount, terminal.tid), told, lesson, null)
      }
    },
  }
}

/** The terminal at which something has happened; null for a DUPLICATE, which changes nothing. */
function tidOf(record: unknown): string | null {
  const { tid, request } = record as Pick<TerminalTransaction, 'tid'> & Partial<Pick<TerminalTransaction, 'request'>>
  return request?.transactionType === 'DUPLICATE' ? null : tid
}
