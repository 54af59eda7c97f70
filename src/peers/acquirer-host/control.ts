// src/peers/acquirer-host/control.ts — the control port of a host: its ledger, and the scenarios of the next messages. JSON.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { listedParts } from './behaviour.ts'
import type { Dialect } from './dialect.ts'
import type { Entry, Ledger } from './ledger.ts'
import { totalsOf } from './reconciliation.ts'
import type { ScenarioQueue } from './scenario-queue.ts'

/** Longest body, in bytes: the longest list of scenarios is shorter. */
const LONGEST_BODY = 131_072

export interface ControlParts {
  readonly dialect: Dialect
  readonly ledger: Ledger
  readonly queue: ScenarioQueue
  /** Sends an echo on each connection; returns their number. */
  readonly sendEcho: () => number
  readonly closeAll: () => void
}

export interface Control {
  readonly url: string
  close(): Promise<void>
}

interface Reply {
  readonly status: number
  readonly body: unknown
}

/** Opens the port, for this machine only. */
export async function openControl(port: number, parts: ControlParts): Promise<Control> {
  const server = createServer((request, response) => void serve(request, response, parts))
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

async function serve(request: IncomingMessage, response: ServerResponse, parts: ControlParts): Promise<void> {
  const text = await textOf(request)
  const { status, body } = text === null ? refusal(413, 'The body is too long.') : replyTo(request, text, parts)
  response.writeHead(status, { 'content-type': 'application/json' }).end(`${JSON.stringify(body)}\n`)
}

function replyTo({ method, url }: IncomingMessage, text: string, parts: ControlParts): Reply {
  switch (`${method} ${url}`) {
    case 'GET /ledger':
      return done(ledgerView(parts.ledger))
    case 'GET /scenarios':
      return done({ ...parts.queue.current(), scenarios: listedParts() })
    case 'PUT /scenarios': {
      const document = parsed(text)
      const problem = document === undefined ? 'The body is no JSON.' : parts.queue.set(document)
      return problem === null ? done(parts.queue.current()) : refusal(400, problem)
    }
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

async function textOf(request: AsyncIterable<unknown>): Promise<string | null> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of request) {
    length += (chunk as Buffer).length
    if (length > LONGEST_BODY) return null
    chunks.push(chunk as Buffer)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function done(body: unknown): Reply {
  return { status: 200, body }
}

function refusal(status: number, message: string): Reply {
  return { status, body: { message } }
}
