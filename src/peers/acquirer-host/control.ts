// src/peers/acquirer-host/control.ts — the control port of a host: its ledger, and the scenarios of the next messages. JSON.
import { type ControlPort, done, openControlPort, type Reply, refusal } from '../control-port.ts'
import { scenarioReply } from '../scenario-requests.ts'
import { listedParts } from './behaviour.ts'
import type { Dialect } from './dialect.ts'
import type { Entry, Ledger } from './ledger.ts'
import type { HostScenarios } from './scenario-queue.ts'
import { totalsOf } from './totals.ts'

export interface ControlParts {
  readonly dialect: Dialect
  readonly ledger: Ledger
  readonly queue: HostScenarios
  /** Sends an echo on each connection; returns their number. */
  readonly sendEcho: () => number
  readonly closeAll: () => void
}

/** Opens the port, for this machine only. */
export function openControl(port: number, parts: ControlParts): Promise<ControlPort> {
  return openControlPort(port, (request, text) => replyTo(request, text, parts))
}

function replyTo(request: string, text: string, parts: ControlParts): Reply {
  const scenarios = scenarioReply(request, text, parts.queue, listedParts)
  if (scenarios !== null) return scenarios
  switch (request) {
    case 'GET /ledger':
      return done(ledgerView(parts.ledger))
    case 'POST /echo':
      if (!parts.dialect.messages.some(({ name }) => name === 'echo'))
        return refusal(409, 'The dialect has no message echo.')
      return done({ sent: parts.sendEcho() })
    case 'DELETE /connections':
      parts.closeAll()
      return done({})
    default:
      return refusal(404, 'There are GET /ledger, GET and PUT /scenarios, POST /echo and DELETE /connections.')
  }
}

/** Entries with what a reader may see, and the sums of what no reconciliation has closed. */
function ledgerView(ledger: Ledger) {
  const entries = ledger.entries()
  return { entries: entries.map(entryView), totals: totalsOf(entries.filter(({ batch }) => batch === null)) }
}

function entryView(entry: Entry) {
  const { kind, state, mti, terminal, merchant, stan, reference, authCode, card, amountMinor, takenMinor } = entry
  return {
    ...{ kind, state, mti, terminal, merchant, stan, reference, authCode, card, amountMinor, takenMinor },
    ...{ currency: entry.currency, responseCode: entry.answer[39] ?? null, isClosed: entry.batch !== null },
    at: new Date(entry.at).toISOString(),
  }
}
