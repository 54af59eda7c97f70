// test/api/sessions.test.ts — users sign in to the console: what a session is, when it counts, and when it is over.
import { deepEqual, equal, match, notEqual, ok } from 'node:assert/strict'
import { describe, test } from 'vitest'
import { IDLE_MS, LONGEST_MS } from '../../src/domain/people/session.ts'
import { pageTokenOf } from '../../src/services/people/sessions.ts'
import { ACCOUNT, API_KEY, cookieIn, ORIGIN, openTown, PASSWORD } from '../support/console-user.ts'
import { ALL_OPERATIONS } from '../support/operations.ts'
import { basic } from '../support/till.ts'

test('signing in sets a cookie that scripts cannot read, for the management API and the sandbox only', async () => {
  const { attempt } = await openTown()
  const { status, json, headers } = await attempt('Owner')
  equal(status, 200)
  const { pageToken, endsAt, ...signedIn } = json
  deepEqual(signedIn, {
    ...{ account: ACCOUNT, user: 'owner', name: 'A owner', role: 'owner' },
    rights: ['read', 'operate', 'configure', 'own'],
  })
  ok(String(pageToken).length >= 40 && !JSON.stringify(headers).includes(String(pageToken)))
  match(String(endsAt), /^\d{4}-/)
  const cookies = headers['set-cookie'] as string[]
  deepEqual(
    cookies.map(cookie => cookie.split('; ').slice(1)),
    ['/api', '/sandbox', '/console'].map(path => [`Path=${path}`, 'HttpOnly', 'SameSite=Strict']),
  )
  equal(headers['cache-control'], 'no-store')
})

test('behind TLS the cookie is Secure, and the console may have a host of its own', async () => {
  const consoleUrl = 'https://console.example'
  const { attempt, ask } = await openTown(['owner'], { settings: { consoleUrl } })
  equal((await attempt('owner')).json['code'], 'origin_refused')
  const { status, json, headers } = await attempt('owner', PASSWORD, { origin: consoleUrl })
  equal(status, 200)
  ok((headers['set-cookie'] as string[]).every(cookie => cookie.endsWith('; Secure')))
  const session = { cookie: cookieIn(headers), 'tollgate-page-token': String(json['pageToken']) }
  equal((await ask('GET', '/api/account', undefined, { ...session, origin: consoleUrl })).status, 200)
  equal((await ask('GET', '/api/account', undefined, { ...session, origin: ORIGIN })).json['code'], 'origin_refused')
})

test('a wrong password, user and account get the same answer, and too many attempts another', async () => {
  const { attempt, ask, shop } = await openTown()
  const wrong = [
    await attempt('owner', 'another horse battery'),
    await attempt('nobody'),
    await ask('POST', '/api/session', { account: 'nowhere', user: 'owner', password: PASSWORD }, { origin: ORIGIN }),
  ]
  for (const { status, json, headers } of wrong) {
    equal(status, 401)
    deepEqual({ ...json, requestId: '' }, { ...wrong[0]?.json, requestId: '' })
    equal(headers['set-cookie'], undefined)
    ok(!String(headers['www-authenticate']).startsWith('Basic'), 'no dialogue of the browser')
  }
  for (let tries = 1; tries < 10; tries += 1) await attempt('owner', 'another horse battery')
  equal((await attempt('owner')).status, 429)
  equal((await attempt('nobody')).status, 401, 'each name counts by itself')
  await shop.clock.advance(300_000)
  equal((await attempt('owner')).status, 200)
})

describe('a request with a cookie is refused', async () => {
  const cases: readonly (readonly [string, Readonly<Record<string, string>>, string])[] = [
    ['without the page token', { 'tollgate-page-token': '' }, 'page_token_wrong'],
    ['with another page token', { 'tollgate-page-token': 'A'.repeat(43) }, 'page_token_wrong'],
    ['from another origin', { origin: 'https://evil.example' }, 'origin_refused'],
    ['from a page without an origin', { origin: 'null' }, 'origin_refused'],
  ]
  test.each(cases)('%s', async (_, changed, code) => {
    const { signIn, ask } = await openTown()
    const { cookie, pageToken } = await signIn('owner')
    const headers = { cookie, origin: ORIGIN, 'tollgate-page-token': pageToken, ...changed }
    const { status, json } = await ask('GET', '/api/account', undefined, headers)
    deepEqual([status, json['code']], [403, code])
  })

  test('with a secret that is not the one of the session, and with one of no session', async () => {
    const { signIn, ask } = await openTown()
    const { cookie } = await signIn('owner')
    const [account, id] = cookie.split('.')
    const secret = 'A'.repeat(43)
    for (const value of [
      `${account}.${id}.${secret}`,
      `${account}.01a22b36-91e8-79d2-af39-2be0fb66c728.${secret}`,
      'x',
    ])
      equal(
        (
          await ask('GET', '/api/account', undefined, {
            cookie: value === 'x' ? 'tollgate_session=x' : value,
            origin: ORIGIN,
            'tollgate-page-token': pageTokenOf(secret),
          })
        ).json['code'],
        'signed_out',
      )
  })

  test('for a change without an origin, and for a read from another site', async () => {
    const { signIn, ask } = await openTown()
    const { cookie, pageToken } = await signIn('owner')
    const session = { cookie, 'tollgate-page-token': pageToken }
    equal((await ask('DELETE', '/api/session', undefined, session)).json['code'], 'origin_refused')
    const read = (site: string) => ask('GET', '/api/account', undefined, { ...session, 'sec-fetch-site': site })
    for (const site of ['cross-site', 'same-site', 'none']) equal((await read(site)).json['code'], 'origin_refused')
    equal((await read('same-origin')).status, 200)
  })
})

test('no operation for tills, shops, payers and pages takes a session for an API key', async () => {
  const { signIn, ask } = await openTown()
  const { cookie, pageToken } = await signIn('owner')
  const others = ALL_OPERATIONS.filter(
    ({ area, auth }) => auth !== 'none' && area !== 'management' && area !== 'sandbox',
  )
  ok(others.length > 20)
  for (const { name, method, path } of others) {
    const url = path.replaceAll(/\{\w+\}/g, 'x')
    const headers = { cookie, origin: ORIGIN, 'tollgate-page-token': pageToken }
    const { status, json } = await ask(method, url, method === 'GET' ? undefined : {}, headers)
    equal(status, 401, `${name}: ${status} ${JSON.stringify(json)}`)
  }
})

test('no answer allows another origin to send credentials', async () => {
  const { signIn } = await openTown()
  const session = await signIn('owner')
  for (const origin of [ORIGIN, 'https://evil.example', 'null'])
    for (const [method, path] of [
      ['GET', '/api/account'],
      ['GET', '/api/session'],
      ['DELETE', '/api/session'],
    ] as const) {
      const { headers } = await session.ask(method, path, undefined, { origin })
      equal(headers['access-control-allow-credentials'], undefined)
    }
})

test('no answer tells the token to a page that does not have it', async () => {
  const { signIn, ask } = await openTown()
  const { cookie, pageToken, ask: asks } = await signIn('owner')
  equal((await asks('GET', '/api/session')).json['pageToken'], pageToken)
  const reads = ALL_OPERATIONS.filter(({ method }) => method === 'GET')
  for (const { path } of reads) {
    if (path === '/api/events') continue
    const url = path.replaceAll(/\{\w+\}/g, 'x')
    const answer = await ask('GET', url, undefined, { cookie, 'sec-fetch-site': 'same-origin' })
    ok(!JSON.stringify([answer.json, answer.headers]).includes(pageToken), path)
  }
})

describe('a session is over', () => {
  test('when the user signs out', async () => {
    const { signIn } = await openTown()
    const session = await signIn('owner')
    const { status, headers } = await session.ask('DELETE', '/api/session')
    equal(status, 204)
    ok((headers['set-cookie'] as string[]).every(cookie => cookie.includes('Max-Age=0')))
    const after = await session.ask('GET', '/api/account')
    equal(after.json['code'], 'signed_out')
    ok(!String(after.headers['www-authenticate']).startsWith('Basic'))
  })

  test('an hour after its last use, and after twelve hours', async () => {
    const { signIn, shop } = await openTown()
    const idle = await signIn('owner')
    await shop.clock.advance(IDLE_MS - 1)
    equal((await idle.ask('GET', '/api/account')).status, 200)
    await shop.settle()
    await shop.clock.advance(IDLE_MS - 1)
    equal((await idle.ask('GET', '/api/account')).status, 200)
    await shop.settle()
    await shop.clock.advance(IDLE_MS)
    equal((await idle.ask('GET', '/api/account')).json['code'], 'signed_out')

    const busy = await signIn('owner')
    for (let used = 0; used < LONGEST_MS / (IDLE_MS / 2) - 1; used += 1) {
      await shop.clock.advance(IDLE_MS / 2)
      equal((await busy.ask('GET', '/api/account')).status, 200)
      await shop.settle()
    }
    await shop.clock.advance(IDLE_MS / 2)
    equal((await busy.ask('GET', '/api/account')).json['code'], 'signed_out')
  })

  test('when the password is changed, by the user and by an owner', async () => {
    const { signIn, attempt, shop } = await openTown(['owner', 'developer'])
    const [owner, developer] = [await signIn('owner'), await signIn('developer')]
    await shop.clock.advance(1)
    const newPassword = 'a staple and more'
    const change = (password: string) => developer.ask('PUT', '/api/session/password', { password, newPassword })
    equal((await change('not this one at all')).json['code'], 'sign_in_refused')
    equal((await change(PASSWORD)).status, 204)
    equal((await developer.ask('GET', '/api/account')).json['code'], 'signed_out')
    equal((await attempt('developer')).status, 401)
    equal((await attempt('developer', newPassword)).status, 200)
    equal((await owner.ask('PUT', '/api/users/developer/password', { password: PASSWORD })).status, 204)
    equal((await attempt('developer')).status, 200)
  })

  test('when the user ends, and when the account is closed', async () => {
    const { signIn, shop, attempt } = await openTown(['owner', 'developer'])
    const [owner, developer] = [await signIn('owner'), await signIn('developer')]
    equal((await owner.ask('DELETE', '/api/users/developer')).status, 204)
    equal((await developer.ask('GET', '/api/account')).json['code'], 'signed_out')
    equal((await attempt('developer')).status, 401)
    await shop.gateway.provisioning.revokeAccount(ACCOUNT)
    equal((await owner.ask('GET', '/api/account')).json['code'], 'signed_out')
    equal((await attempt('owner')).status, 401)
  })

  test('with the stream of events that it has opened', async () => {
    const { signIn, shop } = await openTown(['owner', 'developer'])
    const [owner, developer] = [await signIn('owner'), await signIn('developer')]
    const streaming = developer.ask('GET', '/api/events', undefined, { accept: 'text/event-stream' })
    await shop.settle()
    equal((await owner.ask('DELETE', '/api/users/developer')).status, 204)
    // Without the end of the session it would stream for ever.
    equal((await streaming).status, 200)
  })

  test('when it is ended from a list, in which users see their own and owners all', async () => {
    const { signIn } = await openTown(['owner', 'developer'])
    const [owner, developer] = [await signIn('owner'), await signIn('developer')]
    const listed = async ({ ask }: typeof owner) =>
      ((await ask('GET', '/api/sessions')).json['sessions'] as { id: string; user: string; current: boolean }[]) ?? []
    deepEqual(
      (await listed(developer)).map(({ user, current }) => [user, current]),
      [['developer', true]],
    )
    const [ofDeveloper, ofOwner] = await listed(owner)
    deepEqual([ofDeveloper?.user, ofOwner?.user, ofOwner?.current], ['developer', 'owner', true])
    equal((await developer.ask('DELETE', `/api/sessions/${ofOwner?.id}`)).json['code'], 'session_unknown')
    equal((await owner.ask('DELETE', `/api/sessions/${ofDeveloper?.id}`)).status, 204)
    equal((await developer.ask('GET', '/api/account')).json['code'], 'signed_out')
    equal((await owner.ask('GET', '/api/account')).status, 200)
  })
})

test('names with control characters are refused before they are looked up', async () => {
  const { ask, attempt, shop } = await openTown()
  const body = (account: string, user: string) => ({ account, user, password: PASSWORD })
  for (const [account, user, field] of [
    ['har\0bour', 'owner', 'account'],
    [ACCOUNT, 'own\0er', 'user'],
  ] as const) {
    const { status, json } = await ask('POST', '/api/session', body(account, user), { origin: ORIGIN })
    deepEqual([status, json['field']], [422, field])
  }
  const { headers } = await attempt('owner')
  const [, , secret = ''] = cookieIn(headers).split('.')
  const cookie = `tollgate_session=${Buffer.from('har\0bour').toString('base64url')}.${'0'.repeat(36)}.${secret}`
  const sent = { cookie, origin: ORIGIN, 'tollgate-page-token': pageTokenOf(secret) }
  const { status, json } = await ask('GET', '/api/account', undefined, sent)
  deepEqual([status, json['code']], [401, 'signed_out'])
  const navigation = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }
  equal((await ask('GET', '/console', undefined, { cookie, ...navigation })).status, 200)
  deepEqual(
    shop.log.lines.filter(({ level }) => level === 'error'),
    [],
  )
})

test('a session is erased a month after it is over at the latest, and not earlier', async () => {
  const { signIn, shop } = await openTown()
  await signIn('owner')
  const stored = async () => (await shop.store.all('session', { limit: 9 })).length
  await shop.clock.advance(29 * 86_400_000)
  await signIn('owner')
  equal(await stored(), 2)
  await shop.clock.advance(3 * 86_400_000)
  equal(await stored(), 1)
})

test('a sandbox whose clock was moved signs nobody out, and a restored snapshot changes no user', async () => {
  const { signIn } = await openTown()
  const owner = await signIn('owner')
  equal((await owner.ask('POST', '/sandbox/snapshots', { name: 'before' })).status, 201)
  equal((await owner.ask('POST', '/api/users', aUser('later'))).status, 201)
  equal((await owner.ask('POST', '/sandbox/clock', { do: 'advance', ms: 2 * LONGEST_MS })).status, 200)
  equal((await owner.ask('GET', '/api/account')).status, 200)
  const restored = await owner.ask('POST', '/sandbox/snapshots/before/restore')
  ok(restored.status < 300, JSON.stringify(restored.json))
  const { users } = (await owner.ask('GET', '/api/users')).json as { users: { user: string }[] }
  deepEqual(
    users.map(({ user }) => user),
    ['later', 'owner'],
  )
})

const aUser = (user: string, password = PASSWORD) => ({ user, name: 'Somebody', role: 'read_only', password })

test('the page of the console says who is signed in to a browser that shows it, and to nobody else', async () => {
  const { signIn, ask, shop } = await openTown()
  const { cookie, pageToken } = await signIn('owner')
  const shown = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }
  const pageFor = async (headers: Readonly<Record<string, string>>) =>
    (await shop.api.inject({ url: '/console', headers: { host: 'localhost', ...headers } })).body
  ok((await pageFor({ cookie, ...shown })).includes(pageToken))
  for (const headers of [
    { cookie },
    { ...shown },
    { cookie, 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' },
    { cookie, 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' },
    { cookie: `${cookie.slice(0, -43)}${'A'.repeat(43)}`, ...shown },
  ]) {
    const body = await pageFor(headers)
    ok(body.includes('id="console"') && !body.includes('pageToken'), JSON.stringify(headers))
  }
  await ask('DELETE', '/api/session', undefined, { cookie, origin: ORIGIN, 'tollgate-page-token': pageToken })
  ok(!(await pageFor({ cookie, ...shown })).includes('pageToken'))
})

test('passwords are stored as a hash of their own, and are in no log, event or answer', async () => {
  const { signIn, shop, ask } = await openTown(['owner', 'developer'])
  const owner = await signIn('owner')
  await owner.ask('POST', '/api/users', aUser('ben', 'a password for ben alone'.replace('ben', 'him')))
  const stored = await shop.store.list(ACCOUNT, { kind: 'user', limit: 10 })
  equal(stored.length, 3)
  const salts = stored.map(({ body }) => (JSON.parse(body) as { password: { salt: string } }).password.salt)
  equal(new Set(salts).size, 3)
  const key = { authorization: basic(API_KEY) }
  const seen = [
    ...stored.map(({ body }) => body),
    ...shop.log.lines.map(line => JSON.stringify(line)),
    JSON.stringify((await ask('GET', '/api/events', undefined, key)).json),
    JSON.stringify((await ask('GET', '/api/requests', undefined, key)).json),
    JSON.stringify((await owner.ask('GET', '/api/users')).json),
    JSON.stringify((await owner.ask('GET', '/api/audit')).json),
  ].join('\n')
  ok(!seen.includes(PASSWORD) && !seen.includes('a password for'))
  const secret = owner.cookie.split('.').at(-1) ?? ''
  ok(secret.length > 40 && !seen.includes(secret) && !seen.includes(owner.pageToken))
})

test('users, sessions and the audit log are in no feed of the merchant', async () => {
  const { signIn, ask } = await openTown()
  await signIn('owner')
  const { events, next } = (await ask('GET', '/api/events', undefined, { authorization: basic(API_KEY) })).json as {
    events: { kind: string }[]
    next: number
  }
  ok(events.length > 0 && next > 0)
  deepEqual(
    events.filter(({ kind }) => ['user', 'session', 'audit-entry'].includes(kind)),
    [],
  )
})

test('bad names and weak passwords are refused, and change nothing', async () => {
  const { signIn } = await openTown()
  const owner = await signIn('owner')
  const bodies: readonly (readonly [unknown, string])[] = [
    [aUser(' ann'), 'user'],
    [aUser('ann smith'), 'user'],
    [aUser('4000000000000002'), 'user'],
    [aUser('ann', 'short'), 'password'],
    [aUser('ann', 'aaaaaaaaaaaaaaaa'), 'password'],
    [aUser('annabel', 'my annabel lee at sea'), 'password'],
    [{ ...aUser('ann'), role: 'king' }, 'role'],
  ]
  for (const [body, field] of bodies) {
    const { status, json } = await owner.ask('POST', '/api/users', body)
    deepEqual([status, json['field']], [422, field], JSON.stringify(json))
  }
  equal((await owner.ask('POST', '/api/users', aUser('OWNER'))).json['code'], 'already_exists')
  equal((await owner.ask('PATCH', '/api/users/nobody', { role: 'owner' })).json['code'], 'user_unknown')
  equal((await owner.ask('DELETE', '/api/users/nobody')).json['code'], 'user_unknown')
  const { users } = (await owner.ask('GET', '/api/users')).json as { users: unknown[] }
  equal(users.length, 1)
})

test('the last owner stays, until there is another one', async () => {
  const { signIn } = await openTown(['owner', 'developer'])
  const owner = await signIn('owner')
  equal((await owner.ask('PATCH', '/api/users/owner', { role: 'developer' })).json['code'], 'last_owner')
  equal((await owner.ask('DELETE', '/api/users/owner')).json['code'], 'last_owner')
  equal((await owner.ask('PATCH', '/api/users/developer', { role: 'owner' })).status, 200)
  equal((await owner.ask('PATCH', '/api/users/owner', { role: 'read_only' })).status, 200)
  // In force at the next request.
  equal((await owner.ask('GET', '/api/users')).json['code'], 'right_missing')
  notEqual((await owner.ask('GET', '/api/account')).status, 403)
})
