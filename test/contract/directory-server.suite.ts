// test/contract/directory-server.suite.ts — contract of every directory server: an id is one authentication, and only the
// issuer's result ends a challenge.

import { deepEqual, equal, ok } from 'node:assert/strict'
import { afterEach, describe, test } from 'vitest'
import type { Card } from '../../src/domain/card-number.ts'
import { money } from '../../src/domain/money.ts'
import type { PayerBrowser } from '../../src/domain/online/payer-browser.ts'
import type { AuthenticationOrder, DirectoryServer } from '../../src/engine/ports/three-d-secure.ts'

export interface DirectoryServerUnderTest {
  readonly server: DirectoryServer
  /** Cards by the issuer's behaviour. */
  readonly cards: { readonly frictionless: Card; readonly challenged: Card; readonly notEnrolled: Card }
  /** The payer passes the challenge, or abandons it. */
  answer(md: string, how: 'passed' | 'given_up'): Promise<void>
  /** The same server after a crash of the gateway. */
  afterCrash(): DirectoryServerUnderTest
  close(): Promise<void>
}

const BROWSER: PayerBrowser = {
  ...{
    acceptHeader: 'text/html',
    userAgent: 'Mozilla/5.0',
    acceptLanguage: ['en'],
    language: 'en',
    javaEnabled: false,
  },
  ...{ colourDepth: 24, screenHeight: 800, screenWidth: 600, timeZoneMinutes: 0 },
}

/** Runs the whole contract. `make` creates a new server for each test. */
export function exerciseDirectoryServer(name: string, make: () => DirectoryServerUnderTest): void {
  describe(`directory server: ${name}`, () => {
    let opened: DirectoryServerUnderTest[] = []
    const open = () => {
      const under = make()
      opened.push(under)
      return under
    }
    afterEach(async () => {
      for (const under of opened) await under.close()
      opened = []
    })
    const orderOn = (card: Card, changes: Partial<AuthenticationOrder> = {}): AuthenticationOrder => ({
      ...{ authenticationId: 'a1', account: 'demo', card, amount: money(2599, 'GBP'), currencyNumeric: '826' },
      ...{ orderId: 'R-1', mustChallenge: false, browser: BROWSER, ...changes },
    })
    const challengeOn = async ({ server, cards }: DirectoryServerUnderTest) => {
      const report = await server.lookUp(orderOn(cards.challenged))
      ok(report.type === 'challenge_requested')
      return report.challenge
    }

    test('a card whose issuer needs no challenge is authenticated with a proof', async () => {
      const { server, cards } = open()
      const report = await server.lookUp(orderOn(cards.frictionless))
      ok(report.type === 'authenticated')
      equal(report.proof.status, 'Y')
    })

    test('a card whose issuer does not take part is not enrolled', async () => {
      const { server, cards } = open()
      deepEqual(await server.lookUp(orderOn(cards.notEnrolled)), { type: 'not_enrolled' })
    })

    test('an order that demands a challenge gets no answer without one', async () => {
      const { server, cards } = open()
      const report = await server.lookUp(orderOn(cards.frictionless, { mustChallenge: true }))
      equal(report.type, 'challenge_requested')
    })

    test('a repeated id is the same authentication', async () => {
      const { server, cards } = open()
      for (const [authenticationId, card] of Object.entries(cards)) {
        const first = await server.lookUp(orderOn(card, { authenticationId }))
        deepEqual(await server.lookUp(orderOn(card, { authenticationId })), first)
      }
    })

    test('device data of an unknown step go nowhere', async () => {
      const { server } = open()
      equal(await server.issuerPost('demo', 'never heard of'), null)
      await server.deviceDataDone('demo', 'never heard of', 'e30')
      equal(await server.issuerPost('demo', 'never heard of'), null)
    })

    test.each([
      ['passed', 'authenticated'],
      ['given_up', 'authentication_failed'],
    ] as const)('a challenge is pending until the payer answers: %s', async (how, type) => {
      const under = open()
      const { md } = await challengeOn(under)
      equal(await under.server.resultOf('demo', md), 'pending')
      await under.answer(md, how)
      const result = await under.server.resultOf('demo', md)
      equal(result !== 'pending' && result.type, type)
      deepEqual(await under.server.resultOf('demo', md), result)
    })

    test('a challenge of another account, or an unknown one, authenticates nothing', async () => {
      const under = open()
      const { md } = await challengeOn(under)
      await under.answer(md, 'passed')
      for (const [account, name] of [
        ['other', md],
        ['demo', 'never heard of'],
      ] as const) {
        const result = await under.server.resultOf(account, name)
        equal(result !== 'pending' && result.type, 'authentication_failed')
      }
    })

    test('after a crash of the gateway the server still knows every authentication', async () => {
      const before = open()
      const challenge = await challengeOn(before)
      const after = before.afterCrash()
      opened.push(after)
      deepEqual(await challengeOn(after), challenge)
      await after.answer(challenge.md, 'passed')
      const result = await after.server.resultOf('demo', challenge.md)
      equal(result !== 'pending' && result.type, 'authenticated')
    })
  })
}
