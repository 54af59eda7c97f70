// src/cli/doctor/card-data/probe-sandbox.ts — a sandbox in a temporary directory that records all its output for the search.
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Config } from '../../../config.ts'
import type { Gateway } from '../../../wire.ts'
import { openContext } from '../../context.ts'
import { activeKeyOf, merchantJwt } from '../../jwt-signing.ts'
import { openParts } from '../../parts.ts'
import { signingKey } from '../../signing-key.ts'

export interface ProbeAnswer {
  readonly status: number
  readonly text: string
  readonly json: Readonly<Record<string, unknown>>
}

export interface ProbeSandbox {
  readonly url: string
  readonly jwt: string
  readonly gateway: Gateway
  /** Address of a webhook receiver. */
  readonly hookUrl: string
  send(path: string, init?: RequestInit): Promise<ProbeAnswer>
  /** Lines of the log so far. */
  log(): string
  /** Received webhooks with their headers. */
  webhooks(): string
  /** Current content of the files in the data directory, including those that SQLite has not merged yet. */
  files(): ReadonlyMap<string, string>
  close(): Promise<void>
}

export const API_KEY = 'demo-api-key'
const LONGEST_MS = 30_000
/** High enough to list every request and log every refusal: both are searched. */
const LIMITS = {
  requestsPerAccount: 100_000,
  recordedRequests: 100_000,
  refusalLines: 1e9,
  refusalLinesPerAccount: 1e9,
}

/** @param settings those of a sandbox; address and data directory are replaced */
export async function openProbeSandbox(settings: Config): Promise<ProbeSandbox> {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'tollgate-canaries-'))
  const config: Config = {
    ...settings,
    dataDirectory,
    host: '127.0.0.1',
    port: 0,
    paceMs: 0,
    // The test cards of the probe stay on this machine.
    acquirerFile: null,
    shopCallsPerSecond: 0,
    recordRequests: true,
  }
  const lines: string[] = []
  const write = (line: string) => lines.push(line)
  const open = await openParts({ ...config, logLevel: 'info', logFormat: 'json' }, { write }, () => {})
  const context = await openContext(config, open, LIMITS)
  const { gateway, url } = context
  const receiver = await openReceiver()
  const apiKey = await activeKeyOf(gateway.store, 'demo')
  return {
    ...{ url, gateway, hookUrl: receiver.url, webhooks: receiver.received },
    jwt: await merchantJwt({ apiKey, audience: url, signingKey: await signingKey(dataDirectory) }),
    send: (path, init = {}) => send(`${url}${path}`, init),
    log: () => lines.join(''),
    files: () => filesOf(dataDirectory),
    async close() {
      receiver.close()
      await context.close()
      rmSync(dataDirectory, { recursive: true, force: true })
    },
  }
}

async function send(address: string, init: RequestInit): Promise<ProbeAnswer> {
  const answer = await fetch(address, { signal: AbortSignal.timeout(LONGEST_MS), redirect: 'manual', ...init })
  const body = await answer.text()
  const isJson = /json/.test(answer.headers.get('content-type') ?? '') && body !== ''
  const json = isJson ? (JSON.parse(body) as Record<string, unknown>) : {}
  return { status: answer.status, text: `${JSON.stringify([...answer.headers])}\n${body}`, json }
}

async function openReceiver() {
  const got: string[] = []
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    got.push(`${request.url} ${JSON.stringify(request.headers)} ${Buffer.concat(parts)}`)
    response.writeHead(200).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/hook`,
    received: () => got.join('\n'),
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

function filesOf(directory: string): ReadonlyMap<string, string> {
  const names = readdirSync(directory, { recursive: true, encoding: 'utf8' })
  const files = names.filter(name => statSync(join(directory, name)).isFile())
  return new Map(files.map(name => [name, readFileSync(join(directory, name), 'latin1')]))
}
