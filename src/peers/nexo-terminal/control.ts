// src/peers/nexo-terminal/control.ts — the control port of a terminal: its ledger, its scenarios, its customer and its plug. JSON.
import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/schema'
import { type ControlPort, done, openControlPort, parsed, type Reply, refusal } from '../control-port.ts'
import type { ScenarioQueue } from '../scenario-queue.ts'
import { scenarioReply } from '../scenario-requests.ts'
import { type Behaviour, behaviourIn, type Concern, listedParts } from './behaviour.ts'
import type { Entry } from './ledger.ts'
import type { TerminalServer } from './server.ts'
import type { Terminal } from './terminal.ts'

export interface ControlParts {
  readonly terminal: Terminal
  readonly queue: ScenarioQueue<Concern, Behaviour>
  readonly server: TerminalServer
}

const CLOSED = { additionalProperties: false } as const
const CARD = Type.Object({ scenario: Type.String({ maxLength: 256 }) }, CLOSED)
const HEALTH = Type.Object(
  {
    GlobalStatus: Type.Enum(['OK', 'Busy', 'Maintenance', 'Unreachable']),
    PrinterStatus: Type.Optional(Type.Enum(['OK', 'PaperLow', 'NoPaper', 'PaperJam', 'OutOfOrder'])),
  },
  CLOSED,
)
const NETWORK = Type.Object({ connected: Type.Boolean() }, CLOSED)
const VALID = { card: Compile(CARD), health: Compile(HEALTH), network: Compile(NETWORK) }

const REQUESTS =
  'There are GET /ledger, GET /requests, GET and PUT /scenarios, PUT /card, PUT /health, PUT /network, POST /restart and DELETE /connections.'

/** Opens the port, for this machine only. */
export function openControl(port: number, parts: ControlParts): Promise<ControlPort> {
  return openControlPort(port, (request, text) => replyTo(request, text, parts))
}

function replyTo(request: string, text: string, parts: ControlParts): Reply | Promise<Reply> {
  const { terminal, queue, server } = parts
  const scenarios = scenarioReply(request, text, queue, listedParts)
  if (scenarios !== null) return scenarios
  switch (request) {
    case 'GET /ledger':
      return done(ledgerView(terminal))
    case 'GET /requests':
      return done({
        requests: terminal.received.map(({ category, serviceId, about }) => ({ category, serviceId, about })),
      })
    case 'PUT /card':
      return reading(text, body => presented(terminal, body))
    case 'PUT /health':
      return reading(text, body => {
        if (!VALID.health.Check(body))
          return refusal(400, 'It must be GlobalStatus, and PrinterStatus if you like, with words of the dialect.')
        terminal.setHealth(body as Static<typeof HEALTH>)
        return done(body)
      })
    case 'PUT /network':
      return reading(text, async body => {
        if (!VALID.network.Check(body)) return refusal(400, 'It must be {"connected": true} or {"connected": false}.')
        if ((body as Static<typeof NETWORK>).connected) await server.plugIn()
        else server.unplug()
        return done(body)
      })
    case 'POST /restart':
      terminal.restart()
      server.cut()
      return done({})
    case 'DELETE /connections':
      server.cut()
      return done({})
    default:
      return refusal(404, REQUESTS)
  }
}

function reading(text: string, read: (body: unknown) => Reply | Promise<Reply>): Reply | Promise<Reply> {
  const body = parsed(text)
  return body === undefined ? refusal(400, 'The body is no JSON.') : read(body)
}

/** A card for the payment that waits for one. */
function presented(terminal: Terminal, body: unknown): Reply {
  if (!VALID.card.Check(body)) return refusal(400, 'It must be {"scenario": "approved"}, or another outcome.')
  const read = behaviourIn((body as Static<typeof CARD>).scenario, 'payment')
  if ('problem' in read) return refusal(400, read.problem)
  if (read.outcome === 'wait' || read.faults.size > 0) return refusal(400, 'It must be the outcome of one card alone.')
  return terminal.finish(read.outcome) ? done({}) : refusal(409, 'No payment waits for a card.')
}

/** Entries, and the sums of the period that runs. */
function ledgerView({ ledger }: Terminal) {
  const period = ledger.period()
  return {
    entries: ledger.entries().map(entry => entryView(entry, period)),
    totals: Object.fromEntries(ledger.totals(period)),
  }
}

function entryView({ period, at, ...entry }: Entry, current: number) {
  return { ...entry, isClosed: period !== current, at: new Date(at).toISOString() }
}
