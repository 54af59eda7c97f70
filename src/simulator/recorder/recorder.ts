// src/simulator/recorder/recorder.ts — messages between till, gateway, terminal and acquirer, by transaction. In this
// process only, within limits; the stored events outlive it.

import { LRUCache } from 'lru-cache'
import type { RecordedExchange } from '../../api/interceptor.ts'
import { redacted } from '../../domain/redaction.ts'
import type { Clocks } from '../../engine/ports/clock.ts'
import type { RecordedMessage, Recorder } from '../controls.ts'

/** Upper bound of recorded transactions per account. The least recently used goes first. */
const MOST_TRANSACTIONS = 2_000
/** Upper bound of recorded accounts: more than test at once. */
const MOST_ACCOUNTS = 100
/** Upper bound of exchanges per transaction. Later ones are dropped. */
const MOST_EXCHANGES = 400

type Kept = { -readonly [Name in keyof RecordedExchange]: RecordedExchange[Name] }

interface Tape {
  readonly exchanges: Kept[]
  left: number
}

/** Creates a recorder. Secrets are redacted before anything is kept. */
export function createRecorder(clocks: Clocks): Recorder {
  const accounts = new LRUCache<string, LRUCache<string, Tape>>({ max: MOST_ACCOUNTS })

  function tapeOf(account: string, requestId: string): Tape {
    const tapes = accounts.get(account) ?? new LRUCache<string, Tape>({ max: MOST_TRANSACTIONS })
    const tape = tapes.get(requestId) ?? { exchanges: [], left: MOST_EXCHANGES }
    tapes.set(requestId, tape)
    accounts.set(account, tapes)
    return tape
  }

  /** Peeks, so that reading does not change the order of eviction. */
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
    // Spelled out: an object spread would create a new hidden class, which slows each use.
    const kept = { from, to, what, data, at, answer: null, answeredAt: null, times: 1, version }
    if (tape.left > 0) tape.exchanges.push(kept)
    tape.left -= 1
    return kept
  }

  /** Keeps a redacted copy: later changes of the message must not change the record. */
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
