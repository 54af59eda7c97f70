// src/simulator/recorder/recorder.ts — messages between till, gateway, terminal and acquirer, by transaction. In this
// process only, within limits; the stored events outlive it.

import type { RecordedExchange } from '../../api/interceptor.ts'
import { redacted } from '../../domain/redaction.ts'
import { type BoundedCache, createBoundedCache } from '../../engine/bounded-cache.ts'
import type { Clocks } from '../../engine/ports/clock.ts'
import type { RecordedMessage, Recorder } from '../controls.ts'

/** Upper bound of recorded transactions per account. The least recently used goes first. */
const MOST_TRANSACTIONS = 2_000
/** Upper bound of recorded accounts: more than test at once. */
const MOST_ACCOUNTS = 100
/** Upper bound of exchanges per transaction. Later ones are dropped. */
const MOST_EXCHANGES = 400

type Stored = { -readonly [Name in keyof RecordedExchange]: RecordedExchange[Name] }

interface Tape {
  readonly exchanges: Stored[]
  left: number
}

/** Creates a recorder. Secrets are redacted before anything is kept. */
export function createRecorder(clocks: Clocks): Recorder {
  const accounts = createBoundedCache<string, BoundedCache<string, Tape>>(MOST_ACCOUNTS)

  function tapeOf(account: string, requestId: string): Tape {
    const tapes = accounts.get(account) ?? createBoundedCache<string, Tape>(MOST_TRANSACTIONS)
    const tape = tapes.get(requestId) ?? { exchanges: [], left: MOST_EXCHANGES }
    tapes.set(requestId, tape)
    accounts.set(account, tapes)
    return tape
  }

  /** Peeks, so that reading does not change the order of eviction. */
  const exchangesOf = (account: string, requestId: string): readonly Stored[] =>
    accounts.peek(account)?.peek(requestId)?.exchanges ?? []

  function add(
    account: string,
    requestId: string,
    { from, to, what, data }: RecordedMessage,
    version: number | null,
  ): Stored {
    const tape = tapeOf(account, requestId)
    const at = clocks.of(account).now()
    // Spelled out: an object spread would create a new hidden class, which slows each use.
    const stored = { from, to, what, data, at, answer: null, answeredAt: null, times: 1, version }
    if (tape.left > 0) tape.exchanges.push(stored)
    tape.left -= 1
    return stored
  }

  /** Keeps a redacted copy: later changes of the message must not change the record. */
  function begin(account: string, requestId: string, { from, to, what, data }: RecordedMessage): Stored {
    return add(account, requestId, { from, to, what, data: redacted(data) }, null)
  }

  const answering = (account: string, stored: Stored) => (answer: unknown) => {
    stored.answer = redacted(answer)
    stored.answeredAt = clocks.of(account).now()
  }

  return {
    note: (account, requestId, message) => answering(account, begin(account, requestId, message)),
    noteBeginning(account, requestId, message, at) {
      const { exchanges } = tapeOf(account, requestId)
      const stored = begin(account, requestId, message)
      stored.at = at
      if (exchanges.at(-1) === stored) exchanges.unshift(...exchanges.splice(-1))
      return answering(account, stored)
    },
    again(account, requestId, what, status) {
      const last = exchangesOf(account, requestId).at(-1)
      if (last?.what !== what || (last.answer as { readonly status?: number } | null)?.status !== status) return false
      last.times += 1
      return true
    },
    happened: (account, requestId, version) => void add(account, requestId, EVENT, version),
    of: exchangesOf,
    forget: account => void accounts.delete(account),
  }
}

const EVENT: RecordedMessage = { from: 'gateway', to: null, what: 'event', data: null }
