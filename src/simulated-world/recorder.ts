// src/simulated-world/recorder.ts — what till, gateway, terminal and acquirer have said to each other, by transaction. Kept
// in this process only, within limits; what has happened is in the events, which outlive it.
import { redacted } from '../domain/redaction.ts'
import type { Clocks } from '../engine/ports.ts'
import type { Exchange, Recorder, Spoken } from '../engine/sandbox/ports.ts'

/** Transactions remembered; the one that was spoken of least recently goes first. */
const MOST_TRANSACTIONS = 2_000
/** Exchanges of one transaction; later ones are counted only. */
const MOST_EXCHANGES = 400

type Kept = { -readonly [Name in keyof Exchange]: Exchange[Name] }

interface Tape {
  readonly exchanges: Kept[]
  left: number
}

/** Listens, and strikes out what is secret before it keeps anything. */
export function createRecorder(clocks: Clocks): Recorder {
  const tapes = new Map<string, Tape>()

  function tapeOf(account: string, requestId: string): Tape {
    const name = `${account}/${requestId}`
    const tape = tapes.get(name) ?? { exchanges: [], left: MOST_EXCHANGES }
    tapes.delete(name)
    tapes.set(name, tape)
    if (tapes.size > MOST_TRANSACTIONS) {
      const oldest = tapes.keys().next()
      if (!oldest.done) tapes.delete(oldest.value)
    }
    return tape
  }

  function keep(account: string, requestId: string, spoken: Spoken, version: number | null): Kept {
    const tape = tapeOf(account, requestId)
    const at = clocks.of(account).now()
    const kept = { ...spoken, at, answer: null, answeredAt: null, times: 1, version }
    if (tape.left > 0) tape.exchanges.push(kept)
    tape.left -= 1
    return kept
  }

  return {
    note(account, requestId, { from, to, what, data }) {
      // A copy: nothing that is said later may change what was heard.
      const kept = keep(account, requestId, { from, to, what, data: redacted(data) }, null)
      return answer => {
        kept.answer = redacted(answer)
        kept.answeredAt = clocks.of(account).now()
      }
    },
    again(account, requestId, what, status) {
      const last = tapeOf(account, requestId).exchanges.at(-1)
      if (last?.what !== what || (last.answer as { readonly status?: number } | null)?.status !== status) return false
      last.times += 1
      last.answeredAt = clocks.of(account).now()
      return true
    },
    happened: (account, requestId, version) => void keep(account, requestId, EVENT, version),
    of: (account, requestId) => tapes.get(`${account}/${requestId}`)?.exchanges ?? [],
    forget(account) {
      for (const name of tapes.keys()) if (name.startsWith(`${account}/`)) tapes.delete(name)
    },
  }
}

const EVENT: Spoken = { from: 'gateway', to: null, what: 'event', data: null }
