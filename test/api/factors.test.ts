// test/api/factors.test.ts — users sign in by one-time codes besides the password, by recovery codes, and by passkeys.
import { deepEqual, equal, match, notEqual, ok } from 'node:assert/strict'
import { Secret, TOTP } from 'otpauth'
import { describe, test } from 'vitest'
import { MOST_PASSKEYS } from '../../src/domain/people/factors.ts'
import { systemRandom } from '../../src/platform/random.ts'
import { fixedRing } from '../../src/platform/vault/key-ring.ts'
import { openVault } from '../../src/platform/vault/vault.ts'
import { CHALLENGE_MS } from '../../src/services/people/challenges.ts'
import { Authenticator, type Signing } from '../support/authenticator.ts'
import {
  ACCOUNT,
  type BrowserSession,
  cookieIn,
  ORIGIN,
  openTown,
  PASSWORD,
  type Town,
} from '../support/console-user.ts'
import type { ShopOptions } from '../support/shop.ts'

const CODES = '/api/session/one-time-codes'
const PASSKEYS = '/api/session/passkeys'

/** The code that an app shows now, or some steps of 30 s later. */
function codeOf({ shop }: Town, secret: string, steps = 0): string {
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: shop.clock.now() + steps * 30_000 })
}

function signIn(town: Town, code?: string, password = PASSWORD) {
  const body = { account: ACCOUNT, user: 'owner', password, ...(code === undefined ? {} : { code }) }
  return town.ask('POST', '/api/session', body, { origin: ORIGIN })
}

/** Signs in without codes, and sets them up. */
async function withCodes(options: ShopOptions = {}) {
  const town = await openTown(['owner', 'till_staff'], options)
  const session = await town.signIn('owner')
  const { secret, uri, active } = (await session.ask('GET', CODES)).json as Record<string, string>
  equal(active, false)
  match(String(uri), /^otpauth:\/\/totp\/Tollgate:harbour%3A%20owner\?issuer=Tollgate&secret=[A-Z2-7]{32}&/)
  const set = await session.ask('PUT', CODES, {
    password: PASSWORD,
    secret,
    code: codeOf(town, String(secret)),
  })
  equal(set.status, 200)
  // The code that was shown counts no more; the next one comes in half a minute.
  await town.shop.clock.advance(30_000)
  return { town, session, secret: String(secret), recoveryCodes: set.json['recoveryCodes'] as string[] }
}

describe('one-time codes', () => {
  test('are asked for once they are set up, after the password and never before', async () => {
    const { town, secret } = await withCodes()
    const needed = await signIn(town)
    deepEqual([needed.status, needed.json['code'], needed.headers['set-cookie']], [401, 'code_needed', undefined])
    equal((await signIn(town, '000000')).json['code'], 'code_refused')
    equal((await signIn(town, codeOf(town, secret), 'another horse battery')).json['code'], 'sign_in_refused')
    const { status, headers } = await signIn(town, codeOf(town, secret))
    deepEqual([status, cookieIn(headers).startsWith('tollgate_session=')], [200, true])
  })

  test('count once, and a step too early or too late', async () => {
    const { town, secret } = await withCodes()
    const now = codeOf(town, secret)
    equal((await signIn(town, now)).status, 200)
    equal((await signIn(town, now)).json['code'], 'code_refused')
    equal((await signIn(town, codeOf(town, secret, -1))).json['code'], 'code_refused', 'older than one that was used')
    equal((await signIn(town, codeOf(town, secret, 2))).json['code'], 'code_refused')
    equal((await signIn(town, codeOf(town, secret, 1))).status, 200)
  })

  test('of two requests with the same code, one signs in', async () => {
    const { town, secret } = await withCodes()
    const code = codeOf(town, secret)
    const both = await Promise.all([signIn(town, code), signIn(town, code)])
    deepEqual(both.map(({ status }) => status).sort(), [200, 401])
  })

  test('can be replaced by recovery codes, each of which counts once', async () => {
    const { town, session, recoveryCodes } = await withCodes()
    equal(new Set(recoveryCodes).size, 10)
    const [first = '', second = ''] = recoveryCodes
    match(first, /^[a-z2-7]{4}(-[a-z2-7]{4}){3}$/)
    equal((await signIn(town, first)).status, 200)
    equal((await signIn(town, first)).json['code'], 'code_refused')
    equal((await signIn(town, second.toUpperCase().replaceAll('-', ' '))).status, 200)
    equal((await session.ask('GET', CODES)).json['recoveryCodesLeft'], 8)
  })

  test('attempts are limited with those of the password', async () => {
    const { town, secret } = await withCodes()
    for (let tries = 0; tries < 10; tries += 1) await signIn(town, '000000')
    equal((await signIn(town, codeOf(town, secret))).status, 429)
  })

  test('are set up and removed with the password only, and with a code that is right', async () => {
    const { town, session, secret } = await withCodes()
    const fresh = String((await session.ask('GET', CODES)).json['secret'])
    notEqual(fresh, secret)
    const set = (body: object) => session.ask('PUT', CODES, { password: PASSWORD, secret: fresh, ...body })
    equal((await set({ code: codeOf(town, fresh), password: 'not this one' })).json['code'], 'sign_in_refused')
    equal((await set({ code: codeOf(town, secret) })).json['code'], 'code_refused')
    equal((await set({ code: '123456', secret: 'JBSWY3DPEHPK3PXPJBSWY3DPE1' })).json['field'], 'secret')
    equal((await signIn(town, codeOf(town, secret))).status, 200, 'the one until now is in force')
    const removal = (password: string) => session.ask('POST', `${CODES}/removal`, { password })
    equal((await removal('not this one')).json['code'], 'sign_in_refused')
    equal((await removal(PASSWORD)).status, 204)
    equal((await signIn(town)).status, 200)
    equal((await session.ask('GET', CODES)).json['active'], false)
  })

  test('are encrypted, stay over a snapshot that is restored, and are erased when nothing refers to them', async () => {
    const random = systemRandom()
    const ring = fixedRing([random.bytes(32)])
    const { town, session, secret } = await withCodes({
      vault: (store, clock) => openVault({ store, clock, random, ring }),
    })
    const stored = () => town.shop.vault.entries('one-time-codes', 0, 9)
    equal((await stored()).length, 1)
    ok(!JSON.stringify(await town.shop.images.imageOf(ACCOUNT, [])).includes(secret))
    equal((await session.ask('POST', '/sandbox/snapshots', { name: 'before' })).status, 201)
    ok((await session.ask('POST', '/sandbox/snapshots/before/restore')).status < 300)
    equal((await signIn(town, codeOf(town, secret))).status, 200)
    for (let day = 0; day < 2; day += 1) await town.shop.clock.advance(86_400_000)
    equal((await stored()).length, 1, 'it is in use')
    equal((await signIn(town, codeOf(town, secret))).status, 200)
    ok('record' in (await town.people.users.removeFactors(ACCOUNT, 'owner')))
    for (let day = 0; day < 2; day += 1) await town.shop.clock.advance(86_400_000)
    equal((await stored()).length, 0)
  })

  test('neither their secret nor a recovery code is in a record, an event or the log', async () => {
    const { town, secret, recoveryCodes } = await withCodes()
    await signIn(town, recoveryCodes[1])
    const stored = await town.shop.store.all('user', { limit: 9 })
    const image = JSON.stringify([await town.shop.images.imageOf(ACCOUNT, []), stored, town.shop.log.lines])
    for (const text of [secret, ...recoveryCodes, ...recoveryCodes.map(code => code.replaceAll('-', ''))])
      ok(!image.includes(text))
    ok(image.includes('codes_set'), 'events are in the image')
  })

  test('are taken away by an owner when a phone is lost, and by nobody else', async () => {
    const { town, session } = await withCodes()
    const staff = await town.signIn('till_staff')
    equal((await staff.ask('DELETE', '/api/users/owner/factors')).json['code'], 'right_missing')
    const [owner] = ((await session.ask('GET', '/api/users')).json['users'] as Record<string, unknown>[]).filter(
      ({ user }) => user === 'owner',
    )
    deepEqual([owner?.['oneTimeCodes'], owner?.['passkeys']], [true, 0])
    equal((await session.ask('DELETE', '/api/users/owner/factors')).status, 204)
    equal((await signIn(town)).status, 200)
    equal((await session.ask('DELETE', '/api/users/nobody/factors')).json['code'], 'user_unknown')
  })
})

async function addPasskey(session: BrowserSession, device: Authenticator, signing: Signing = {}, more: object = {}) {
  const { json } = await session.ask('GET', `${PASSKEYS}/creation`)
  const credential = device.create(String(json['challenge']), signing)
  return session.ask('POST', PASSKEYS, { password: PASSWORD, name: 'My phone', credential, ...more })
}

async function challengeFor({ ask }: Town): Promise<string> {
  return String((await ask('GET', '/api/session/passkey')).json['challenge'])
}

function signInBy({ ask }: Town, credential: unknown, account = ACCOUNT, headers = { origin: ORIGIN }) {
  return ask('POST', '/api/session/passkey', { account, credential }, headers)
}

async function withPasskey() {
  const town = await openTown(['owner', 'till_staff'])
  const session = await town.signIn('owner')
  const device = new Authenticator()
  equal((await addPasskey(session, device)).status, 201)
  // Devices do not sign two challenges in the same millisecond.
  await town.shop.clock.advance(1)
  return { town, session, device }
}

describe('a passkey', () => {
  test('signs in without a name and a password, also a user who has one-time codes', async () => {
    const { town, session, device } = await withPasskey()
    const { secret } = (await session.ask('GET', CODES)).json as { secret: string }
    equal((await session.ask('PUT', CODES, { password: PASSWORD, secret, code: codeOf(town, secret) })).status, 200)
    const { status, json, headers } = await signInBy(town, device.get(await challengeFor(town)))
    deepEqual([status, json['user'], json['role']], [200, 'owner', 'owner'])
    const used = await town.ask('GET', PASSKEYS, undefined, {
      ...{ cookie: cookieIn(headers), origin: ORIGIN, 'tollgate-page-token': String(json['pageToken']) },
    })
    const [passkey] = used.json['passkeys'] as Record<string, unknown>[]
    equal(passkey?.['name'], 'My phone')
    match(String(passkey?.['usedAt']), /^\d{4}-/)
  })

  test('signs each challenge once, within five minutes, and only challenges of this gateway', async () => {
    const { town, device } = await withPasskey()
    const challenge = await challengeFor(town)
    const signed = device.get(challenge)
    equal((await signInBy(town, signed)).status, 200)
    equal((await signInBy(town, signed)).json['code'], 'passkey_refused')
    const late = device.get(await challengeFor(town))
    await town.shop.clock.advance(CHALLENGE_MS)
    equal((await signInBy(town, late)).json['code'], 'passkey_refused')
    const [time, nonce, tag] = Buffer.from(await challengeFor(town), 'base64url')
      .toString()
      .split('.')
    for (const forged of [`${Number(time) + 1}.${nonce}.${tag}`, `${time}.${nonce}.${'A'.repeat(43)}`, 'anything'])
      equal((await signInBy(town, device.get(Buffer.from(forged).toString('base64url')))).status, 401, forged)
    equal((await signInBy(town, device.get(await challengeFor(town)))).status, 200)
  })

  test.each<[string, Signing]>([
    ['of another origin', { origin: 'https://elsewhere.example' }],
    ['for another host', { rpId: 'elsewhere.example' }],
    ['without a PIN or a finger', { verified: false }],
  ])('signature %s is refused, and so is such a new passkey', async (_, signing) => {
    const { town, session, device } = await withPasskey()
    equal((await signInBy(town, device.get(await challengeFor(town), signing))).json['code'], 'passkey_refused')
    equal((await addPasskey(session, new Authenticator(), signing)).json['code'], 'passkey_refused')
    equal(((await session.ask('GET', PASSKEYS)).json['passkeys'] as unknown[]).length, 1)
  })

  test('of another device, another account or another key is refused alike', async () => {
    const { town, device } = await withPasskey()
    const impostor = new Authenticator()
    const borrowed = { ...impostor.get(await challengeFor(town)), id: device.id.toString('base64url') }
    for (const [credential, account] of [
      [impostor.get(await challengeFor(town)), ACCOUNT],
      [{ ...borrowed, rawId: borrowed.id }, ACCOUNT],
      [device.get(await challengeFor(town)), 'demo'],
      [device.get(await challengeFor(town)), 'nowhere'],
    ] as const) {
      const { status, json, headers } = await signInBy(town, credential, account)
      deepEqual([status, json['code'], headers['set-cookie']], [401, 'passkey_refused', undefined])
    }
  })

  test('whose counter goes back was copied, and is refused', async () => {
    const town = await openTown()
    const device = new Authenticator()
    await addPasskey(await town.signIn('owner'), device, { counter: 4 })
    for (const [counter, status] of [
      [5, 200],
      [5, 401],
      [6, 200],
    ] as const) {
      await town.shop.clock.advance(1)
      equal((await signInBy(town, device.get(await challengeFor(town), { counter }))).status, status)
    }
  })

  test('signs in on pages of the console only', async () => {
    const { town, device } = await withPasskey()
    const signed = device.get(await challengeFor(town))
    equal(
      (await signInBy(town, signed, ACCOUNT, { origin: 'https://elsewhere.example' })).json['code'],
      'origin_refused',
    )
    equal((await signInBy(town, signed)).status, 200, 'nothing was used up')
  })

  test('is added with the password, for the user who asked, once and ten times at most', async () => {
    const { town, session, device } = await withPasskey()
    const wrong = await addPasskey(session, new Authenticator(), {}, { password: 'not this one' })
    equal(wrong.json['code'], 'sign_in_refused')
    equal((await addPasskey(session, device)).json['code'], 'passkey_refused', 'it is there already')
    const staff = await town.signIn('till_staff')
    const { challenge } = (await staff.ask('GET', `${PASSKEYS}/creation`)).json as { challenge: string }
    const forOther = { password: PASSWORD, name: 'x', credential: new Authenticator().create(challenge) }
    equal((await session.ask('POST', PASSKEYS, forOther)).json['code'], 'passkey_refused')
    // Attempts with a password are limited.
    await town.shop.clock.advance(300_000)
    for (let count = 1; count < MOST_PASSKEYS; count += 1) {
      equal((await addPasskey(session, new Authenticator())).status, 201)
      if (count % 5 === 0) await town.shop.clock.advance(300_000)
    }
    equal((await addPasskey(session, new Authenticator())).json['code'], 'passkeys_exhausted')
  })

  test('that was removed, or whose user has ended, signs in no more', async () => {
    const { town, session, device } = await withPasskey()
    const id = device.id.toString('base64url')
    equal((await session.ask('DELETE', `${PASSKEYS}/nothing`)).json['code'], 'passkey_unknown')
    equal((await session.ask('DELETE', `${PASSKEYS}/${id}`)).status, 204)
    equal((await signInBy(town, device.get(await challengeFor(town)))).status, 401)
    const staff = await town.signIn('till_staff')
    const other = new Authenticator()
    equal((await addPasskey(staff, other)).status, 201)
    await town.shop.clock.advance(1)
    equal((await signInBy(town, other.get(await challengeFor(town)))).status, 200)
    equal((await session.ask('DELETE', '/api/users/till_staff')).status, 204)
    await town.shop.clock.advance(1)
    equal((await signInBy(town, other.get(await challengeFor(town)))).status, 401)
  })

  test('is noted in the audit log with what it did', async () => {
    const { town, session, device } = await withPasskey()
    await signInBy(town, device.get(await challengeFor(town)))
    const { entries } = (await session.ask('GET', '/api/audit')).json as { entries: Record<string, unknown>[] }
    deepEqual(
      entries.slice(0, 2).map(({ by, action, status }) => [by, action, status]),
      [
        ['owner', 'signInByPasskey', 200],
        ['owner', 'addPasskey', 201],
      ],
    )
  })
})
