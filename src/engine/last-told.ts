// src/engine/last-told.ts — what a terminal has said when it was last asked for its last transaction, as long as nothing
// has happened there since. ADR 28, ADR 39.
import type { Terminal } from '../domain/terminal.ts'
import type { TerminalTransaction } from '../domain/terminal-transaction.ts'
import type { RecordCache } from './cache.ts'
import type { Change, Feed } from './feed.ts'
import { REPORT, TERMINAL, TERMINAL_TRANSACTION } from './machines.ts'
import type { LastMark } from './ports.ts'
import { type Fleet, type Heard, LIVE } from './terminals.ts'

export interface LastTold {
  /** What would only be said again by a terminal that serves this till; null: it has to be asked. */
  again(account: string, tid: string): Told | null
  /** To be called before the terminal is asked. What is returned takes the DUPLICATE that has ended. */
  asking(terminal: Terminal): (ended: TerminalTransaction) => void
}

export interface Told {
  readonly duplicate: TerminalTransaction
  /** What was last made of it for a till. It lives and dies with this. */
  kept: unknown
}

/** As it is remembered. */
interface Remembered extends Told {
  readonly mark: LastMark
}

/** The kind of what is remembered here. It is in no store. */
const TOLD = 'told-by-terminal'

/**
 * Remembers in `cache`, and forgets what the feed shows to be old.
 * @param outsideChanges how many there were: what others may have changed in the terminal makes everything old
 */
export function createLastTold({
  fleet,
  feed,
  cache,
  outsideChanges,
}: {
  readonly fleet: Fleet
  readonly feed: Feed
  readonly cache: RecordCache
  readonly outsideChanges: () => number
}): LastTold {
  let lesson = 0
  const keyOf = (account: string, tid: string) => ({ account, kind: TOLD, id: tid })

  // The mark tells of what has reached the terminal, this of what is on its way there.
  feed.followAll(change => {
    const tid = tidOf(change)
    if (tid !== null) cache.drop(keyOf(change.account, tid))
  })

  /** Nothing is on its way to the terminal, as far as is known. */
  function isFree(account: string, tid: string): boolean {
    const heard = cache.get({ account, kind: LIVE, id: tid })
    return heard !== undefined && (heard.record as Heard).live === null
  }

  /** Null: something is going on there, or the make does not say. */
  function markOf(terminal: Terminal): LastMark | null {
    // A terminal with a printer of its own prints the copy, each time it is asked.
    if (terminal.settings.printing) return null
    const mark = fleet.presence(terminal)?.lastMark
    return mark?.holds ? mark : null
  }

  return {
    again(account, tid) {
      const remembered = cache.get(keyOf(account, tid))?.record as Remembered | undefined
      return remembered?.mark.holds ? remembered : null
    },
    asking(terminal) {
      const { merchantAccount: account, tid } = terminal
      const mark = markOf(terminal)
      // What was seen before it was asked; whatever is changed meanwhile then shows.
      const seen = outsideChanges()
      return ended => {
        // What is not known yet is not kept: it may be known by now.
        if (!mark?.holds || ended.repeated === null || ended.result === 'TIMED_OUT') return
        // Its settings may be others by now. And the next sale may have begun in the commit in which this one has ended.
        const isSame = cache.get({ account, kind: TERMINAL.kind, id: tid })?.record === terminal
        if (!isSame || !isFree(account, tid)) return
        lesson += 1
        const remembered: Remembered = { duplicate: ended, mark, kept: null }
        cache.put(keyOf(account, tid), remembered, lesson, seen)
      }
    },
  }
}

/** The terminal at which something has happened, if any. */
function tidOf({ kind, record }: Change): string | null {
  const isAtTerminal = kind === TERMINAL_TRANSACTION.kind || kind === REPORT.kind || kind === TERMINAL.kind
  return isAtTerminal ? (record as Pick<Terminal, 'tid'>).tid : null
}
