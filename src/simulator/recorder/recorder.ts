// src/simulator/recorder/recorder.ts — what till, gateway, terminal and acquirer have said to each other, by transaction. Kept
// in this process only, within limits; what has happened is in the events, which outlive it.

import { LRUCache } from 'lru-cache'
import type { RecordedExchange } from '../../api/interceptor.ts'
import { redacted } from '../../domain/redaction.ts'
import type { Clocks } from '../../engine/ports/clock.ts'
import type { RecordedMessage, Recorder } from '../controls.ts'

/** Transactions remembered of an account; the one that was spoken of least recently goes first. */
const MOST_TRANSACTIONS = 2_000
/** Accounts remembered: as many as test at once, and more. */
const MOST_ACCOUNTS = 100
/** Exchanges of one transaction; later ones are not kept. */
const MOST_EXCHANGES = 400

type Kept = { -readonly [Name in keyof RecordedExchange]: RecordedExchange[Name] }

interface Tape {
  readonly exchanges: Kept[]
  left: number
}

/** Listens, and strikes out what is secret before it keeps anything. */
export function createRecorder(clocks: Clocks): Recorder {
  const accounts = new LRUCache<string, LRUCache<string, Tape>>({ max: MOST_ACCOUNTS })

  function tapeOf(account: string, requestId: string): Tape {
    const tapes = accounts.get(account) ?? new LRUCache<string, Tape>({ max: MOST_TRANSACTIONS })
    const tape = tapes.get(requestId) ?? { exchanges: [], left: MOST_EXCHANGES }
    tapes.set(requestId, tape)
    accounts.set(account, tapes)
    return tape
  }

  /** Leaves the order of the tapes alone. */
  const exchangesOf = (account: string, requestId: string): readonly Kept[] =>
    accounts.peek(account)?.peek(requestId)?.exchanges ?? []

  function keep(
    account: string,
    requestId: string,
    { from, to, what, data }: RecordedMessage,
    version: number | null,
  ): Kept {
    const tape = tapeOf(account, requestId)
    const at = clocks.of(account).now()
    // Written out: a spread makes a shape of its own, which is slow wherever it is used.
    const kept = { from, to, what, data, at, answer: null, answeredAt: null, times: 1, version }
    if (tape.left > 0) tape.exchanges.push(kept)
    tape.left -= 1
    return kept
  }

  /** A copy: nothing that is said later may change what was heard. */
  function heard(account: string, requestId: string, { from, to, what, data }: RecordedMessage): Kept {
    return keep(account, requestId, { from, to, what, data: redacted(data) }, null)
  }

  const answering = (account: string, kept: Kept) => (answer: unknown) => {
    kept.answer = redacted(answer)
    kept.answeredAt = clocks.of(account).now()
  }

  return {
    note: (account, requestId, spoken) => answering(account, heard(account, requestId, spoken)),
    noteBeginning(account, requestId, spoken, at) {
      const { exchanges } = tapeOf(account, requestId)
      const kept = heard(account, requestId, spoken)
      kept.at = at
      if (exchanges.at(-1) === kept) exchanges.unshift(...exchanges.splice(-1))
      return answering(account, kept)
    },
    again(account, requestId, what, status) {
      const last = exchangesOf(account, requestId).at(-1)
      if (last?.what !== what || (last.answer as { readonly status?: number } | null)?.status !== status) return false
      last.times += 1
      return true
    },
    happened: (account, requestId, version) => void keep(account, requestId, EVENT, version),
    of: exchangesOf,
    forget: account => void accounts.delete(account),
  }
}

const EVENT: RecordedMessage = { from: 'gateway', to: null, what: 'event', data: null }
