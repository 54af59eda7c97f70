// test/browser/support/gateway.ts — the whole gateway on a free port, assembled as by `tollgate serve`, with a merchant's
// server that has its JWT.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Api, createApi } from '../../../src/api/api.ts'
import { NO_INTERCEPTOR } from '../../../src/api/interceptor.ts'
import { type Context, openContext } from '../../../src/cli/context.ts'
import { type OpenParts, openParts } from '../../../src/cli/parts.ts'
import { summaryOf } from '../../../src/cli/summary.ts'
import { readConfig } from '../../../src/config.ts'
import { CONSOLE_OPERATIONS } from '../../../src/console/operations.ts'
import { lookAtCard } from '../../../src/platform/card-rules.ts'
import { createPeople } from '../../../src/services/people/people.ts'
import type { UserOrder } from '../../../src/services/people/users.ts'
import type { Parts } from '../../../src/wire.ts'
import { buildWeb } from '../../../web/build.ts'

export interface RunningGateway {
  readonly url: string
  /** Listening address, without a host name. */
  readonly listening: string
  /** The same gateway in live mode, on its own port, with the simulated acquirer; null when not requested. */
  readonly liveUrl: string | null
  /** Of the account demo. */
  readonly jwt: string
  /** All log lines. */
  readonly log: readonly string[]
  /** Calls the API for merchants' servers. */
  v1(method: 'GET' | 'POST', path: string, body?: unknown): Promise<{ readonly status: number; readonly body: unknown }>
  /** Creates an access token. */
  token(requested?: Readonly<Record<string, unknown>>): Promise<string>
  /** Calls the sandbox API. */
  sandbox(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: unknown): Promise<unknown>
  /** Adds a user who signs in to the console of an account, unless there is one of this name. */
  addUser(account: string, order: UserOrder): Promise<void>
  close(): Promise<void>
}

export type LiveWallets = Pick<Parts, 'walletSettings' | 'walletProviderClient'>

/** Builds the browser code and starts the gateway. `live`: wallets of live mode. `publicUrl`: the setting of this name. */
export async function openGateway(live?: LiveWallets, publicUrl = ''): Promise<RunningGateway> {
  await buildWeb()
  const directory = mkdtempSync(join(tmpdir(), 'tollgate-browser-'))
  const log: string[] = []
  const read = readConfig({
    ...{ TOLLGATE_DATA: directory, PORT: '0', TOLLGATE_PACE: '0' },
    TOLLGATE_PUBLIC_URL: publicUrl,
  })
  if ('problems' in read) throw new Error(read.problems.join(' '))
  const { config } = read
  const open = await openParts(config, { write: line => log.push(line) }, fault => log.push(fault.message))
  const context = await openContext(config, { ...open, parts: { ...open.parts, ...live } })
  const liveApi = live === undefined ? null : liveApiOf(open, context)
  const liveUrl = liveApi && `http://127.0.0.1:${(await liveApi.listen({ host: '127.0.0.1', port: 0 })).port}`
  const { token } = await summaryOf(
    config,
    { url: context.url, networkUrls: [] },
    context.gateway.store,
    open.signingKey,
  )
  const jwt = token ?? ''
  // Two equal payments of one order within a minute count as one (docs/online-payments.md).
  let orders = 1000
  const call = async (method: string, path: string, authorization: string, body?: unknown) => {
    const response = await fetch(context.listening + path, {
      method,
      headers: { authorization, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, body: parsed(text) }
  }
  return {
    ...{ url: context.url, listening: context.listening },
    liveUrl,
    jwt,
    log,
    v1: (method, path, body) => call(method, path, `Bearer ${jwt}`, body),
    async token(requested = {}) {
      const order = { merchantUrl: 'shop.example', currencyCode: '826', amount: '2599', transactionType: 'SALE' }
      const answer = await call('POST', '/v1/access-tokens', `Bearer ${jwt}`, {
        ...order,
        orderId: `A-${++orders}`,
        ...requested,
      })
      if (answer.status !== 200) throw new Error(`no token: ${answer.status} ${JSON.stringify(answer.body)}`)
      return (answer.body as { id: string }).id
    },
    async sandbox(method, path, body) {
      const basic = `Basic ${Buffer.from('till:demo-api-key').toString('base64')}`
      const answer = await call(method, path, basic, body)
      if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
      return answer.body
    },
    async addUser(account, order) {
      await createPeople({ ...context.gateway, ...open.parts }).users.add(account, order)
    },
    async close() {
      await liveApi?.close()
      await context.close()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

/** A second API on the same gateway, which behaves as in live mode: there is no real acquirer to use. */
function liveApiOf({ parts, metrics }: OpenParts, { gateway }: Context): Api {
  const { clock, random, log } = parts
  const { observeRequest: observe, refused, refusalLineDropped, text, contentType } = metrics
  return createApi(
    {
      ...gateway,
      ...{ clock, random, log, cardRules: lookAtCard, gatewayKeys: [], tracing: null },
      metrics: { observe, refused, refusalLineDropped, text, contentType },
      ...{ interceptor: NO_INTERCEPTOR, openTestAccount: null, wallets: { ...gateway.wallets, testSheet: false } },
      settings: {
        ...{
          mode: 'live',
          publicUrl: null,
          consoleUrl: null,
          trustedProxies: [],
          defaultVersion: 'v2',
          partnerHeaders: 'require',
        },
        ...{
          strictCompletion: false,
          retentionMs: 86_400_000,
          pauseMs: 0,
          shopCallsPerSecond: 0,
          corsOrigins: '*',
          bodyLimitBytes: 65_536,
          recordRequests: true,
        },
        ...{ metricsToken: null, closingKey: null, programVersion: '0.0.0-test', publicKey: null },
      },
      ready: () => [],
    },
    { tls: null, operations: CONSOLE_OPERATIONS },
  )
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
