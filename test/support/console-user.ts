// test/support/console-user.ts — users of an account, and their requests as a page of the console sends them.
import { ok } from 'node:assert/strict'
import type { Role } from '../../src/domain/people/roles.ts'
import { createPeople, type People } from '../../src/services/people/people.ts'
import { sandboxProfile } from '../../src/simulator/seed.ts'
import { SeededRandom } from './seeded-random.ts'
import { openShop, type Shop, type ShopOptions } from './shop.ts'

export const ACCOUNT = 'harbour'
export const API_KEY = 'harbour-key'
/** Of every user. */
export const PASSWORD = 'correct horse battery'
/** The base address of requests that are not sent over a socket. */
export const ORIGIN = 'http://localhost'

export interface Reply {
  readonly status: number
  readonly json: Readonly<Record<string, unknown>>
  readonly headers: Readonly<Record<string, unknown>>
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** What a browser page has of a session. */
export interface BrowserSession {
  readonly cookie: string
  readonly pageToken: string
  ask(method: Method, path: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<Reply>
}

export interface Town {
  readonly shop: Shop
  readonly people: People
  ask(method: Method, path: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<Reply>
  /** Tries to sign in. */
  attempt(user: string, password?: string, headers?: Readonly<Record<string, string>>): Promise<Reply>
  signIn(user: string): Promise<BrowserSession>
}

/** Opens a shop with a private account whose users have these roles; each is called like the role. */
export async function openTown(roles: readonly Role[] = ['owner'], options: ShopOptions = {}): Promise<Town> {
  const passwordCost = [2 ** 10, 8, 1] as const
  const shop = await openShop({ ...options, parts: { passwordCost, ...options.parts } })
  const { engine, provisioning } = shop.gateway
  const profile = sandboxProfile('Harbour Shop', 'GBP', 'Europe/London')
  const opened = await provisioning.openAccount({
    ...{ id: ACCOUNT, profile, keyLabel: 'first', secret: API_KEY, terminals: ['VCMHARBSIP0'] },
  })
  ok('record' in opened)
  const people = createPeople({
    engine,
    store: shop.store,
    clock: shop.clock,
    random: new SeededRandom(5),
    passwordCost,
  })
  for (const role of roles)
    ok('record' in (await people.users.add(ACCOUNT, { user: role, name: `A ${role}`, role, password: PASSWORD })))

  const ask: Town['ask'] = async (method, path, body, headers = {}) => {
    const answer = await shop.api.inject({
      method,
      url: path,
      headers: { host: 'localhost', ...headers },
      ...(body === undefined ? {} : { payload: body as object }),
    })
    const isJson = String(answer.headers['content-type'] ?? '').includes('json')
    return { status: answer.statusCode, json: isJson ? answer.json() : {}, headers: answer.headers }
  }
  const attempt: Town['attempt'] = (user, password = PASSWORD, headers = { origin: ORIGIN }) =>
    ask('POST', '/api/session', { account: ACCOUNT, user, password }, headers)

  return {
    shop,
    people,
    ask,
    attempt,
    async signIn(user) {
      const { status, json, headers } = await attempt(user)
      ok(status === 200, `${user}: ${status} ${JSON.stringify(json)}`)
      const cookie = cookieIn(headers)
      const pageToken = String(json['pageToken'])
      return {
        cookie,
        pageToken,
        ask: (method, path, body, more = {}) =>
          ask(method, path, body, { cookie, origin: ORIGIN, 'tollgate-page-token': pageToken, ...more }),
      }
    },
  }
}

/** The cookie that a browser sends after this answer. */
export function cookieIn(headers: Reply['headers']): string {
  const [first] = [headers['set-cookie']].flat() as (string | undefined)[]
  return first?.split(';')[0] ?? ''
}
