// test/support/console-user.ts — users of an account, and their requests as a page of the console sends them.
import { ok } from 'node:assert/strict'
import type { MerchantAccountId } from '../../src/domain/ids.ts'
import type { Role } from '../../src/domain/people/roles.ts'
import { createDirectory, type Directory } from '../../src/services/people/people.ts'
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
  /** An empty object when the body is not JSON. */
  readonly json: Readonly<Record<string, unknown>>
  readonly text: string
  readonly headers: Readonly<Record<string, unknown>>
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** What a browser page has of a session. */
export interface BrowserSession {
  readonly cookie: string
  readonly pageToken: string
  /** Of each request of the page. */
  readonly headers: Readonly<Record<string, string>>
  ask(method: Method, path: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<Reply>
}

export interface Town {
  readonly shop: Shop
  readonly people: Directory
  ask(method: Method, path: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<Reply>
  /** Tries to sign in. */
  attempt(user: string, password?: string, headers?: Readonly<Record<string, string>>): Promise<Reply>
  signIn(user: string): Promise<BrowserSession>
}

/** Hashes passwords in no time. For `parts` of a shop. */
export const PASSWORD_COST = [2 ** 10, 8, 1] as const

/** Opens a shop with a private account whose users have these roles; each is called like the role. */
export async function openTown(roles: readonly Role[] = ['owner'], options: ShopOptions = {}): Promise<Town> {
  const shop = await openShop({ ...options, parts: { passwordCost: PASSWORD_COST, ...options.parts } })
  const profile = sandboxProfile('Harbour Shop', 'GBP', 'Europe/London')
  const opened = await shop.gateway.provisioning.openAccount({
    ...{ id: ACCOUNT, profile, keyLabel: 'first', secret: API_KEY, terminals: ['VCMHARBSIP0'] },
  })
  ok('record' in opened)
  const people = peopleOf(shop)
  for (const role of roles)
    ok('record' in (await people.users.add(ACCOUNT, { user: role, name: `A ${role}`, role, password: PASSWORD })))
  return {
    shop,
    people,
    ask: (...given) => ask(shop, ...given),
    attempt: (user, password, headers) => attempt(shop, ACCOUNT, user, password, headers),
    signIn: user => signInAt(shop, ACCOUNT, user),
  }
}

/** Adds an owner to an account of the shop, and signs in. */
export async function ownerOf(shop: Shop, account: string): Promise<BrowserSession> {
  const owner = { user: 'owner', name: 'An owner', role: 'owner', password: PASSWORD } as const
  ok('record' in (await peopleOf(shop).users.add(account as MerchantAccountId, owner)))
  return signInAt(shop, account, 'owner')
}

/** The users of the accounts of a shop. */
export function peopleOf({ gateway: { engine }, store, clock }: Shop): Directory {
  return createDirectory({ engine, store, clock, random: new SeededRandom(5), passwordCost: PASSWORD_COST })
}

async function ask(
  { api }: Shop,
  method: Method,
  path: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Reply> {
  const answer = await api.inject({
    method,
    url: path,
    headers: { host: 'localhost', ...headers },
    ...(body === undefined ? {} : { payload: body as object }),
  })
  const isJson = String(answer.headers['content-type'] ?? '').includes('json')
  return { status: answer.statusCode, json: isJson ? answer.json() : {}, text: answer.body, headers: answer.headers }
}

function attempt(
  shop: Shop,
  account: string,
  user: string,
  password = PASSWORD,
  headers: Readonly<Record<string, string>> = { origin: ORIGIN },
): Promise<Reply> {
  return ask(shop, 'POST', '/api/session', { account, user, password }, headers)
}

async function signInAt(shop: Shop, account: string, user: string): Promise<BrowserSession> {
  const { status, json, headers } = await attempt(shop, account, user)
  ok(status === 200, `${user}: ${status} ${JSON.stringify(json)}`)
  const own = { cookie: cookieIn(headers), origin: ORIGIN, 'tollgate-page-token': String(json['pageToken']) }
  return {
    cookie: own.cookie,
    pageToken: own['tollgate-page-token'],
    headers: own,
    ask: (method, path, body, more = {}) => ask(shop, method, path, body, { ...own, ...more }),
  }
}

/** The cookie that a browser sends after this answer. */
export function cookieIn(headers: Reply['headers']): string {
  const [first] = [headers['set-cookie']].flat() as (string | undefined)[]
  return first?.split(';')[0] ?? ''
}
