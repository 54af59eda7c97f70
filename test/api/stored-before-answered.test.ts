// test/api/stored-before-answered.test.ts — what a request changes in the simulator survives a kill before it is answered.
import { equal } from 'node:assert/strict'
import { describe, test } from 'vitest'
import { openShop, type Shop } from '../support/shop.ts'

const SALE = { transactionType: 'SALE', amount: 2599, currency: 'GBP' }

/** A shop whose simulator cannot finish writing until `release` is called. */
async function openSlowShop(): Promise<{ readonly shop: Shop; slow(): void; release(): void }> {
  let written: Promise<void> = Promise.resolve()
  let release = (): void => {}
  const shop = await openShop({ memory: memory => ({ ...memory, written: () => written }) })
  const slow = (): void => {
    written = new Promise(resolve => {
      release = resolve
    })
  }
  return { shop, slow, release: () => release() }
}

/** Whether the answer comes before the simulator has written. */
async function comesAtOnce(request: (shop: Shop) => Promise<{ readonly status: number }>): Promise<boolean> {
  const { shop, slow, release } = await openSlowShop()
  slow()
  let answered = false
  const answer = request(shop).then(({ status }) => {
    answered = true
    return status
  })
  await shop.storeSettled()
  const early = answered
  release()
  equal(Math.floor((await answer) / 100), 2)
  return early
}

const start = (headers: Readonly<Record<string, string>>) => (shop: Shop) =>
  shop.till.ask('POST', '/pac/terminals/VCMDEMOSIP0/transactions', { body: SALE, headers })

describe('an answer waits for the simulator', () => {
  test('when the request names the scenario of its transaction', async () => {
    equal(await comesAtOnce(start({ 'tollgate-scenario': 'declined' })), false)
  })

  test('when a fault was armed for its transaction', async () => {
    const armed = async (shop: Shop) => {
      const body = { fault: 'slow_acquirer:5000', path: '/pac/**', times: 1 }
      void shop.till.ask('POST', '/sandbox/faults', { body })
      await shop.storeSettled()
      return start({})(shop)
    }
    equal(await comesAtOnce(armed), false)
  })

  test('when it sets the scenarios of a terminal', async () => {
    const body = { next: ['declined'] }
    equal(await comesAtOnce(shop => shop.till.ask('POST', '/sandbox/terminals/VCMDEMOSIP0/scenarios', { body })), false)
  })
})

test('an answer about nothing simulated does not wait', async () => {
  equal(await comesAtOnce(start({})), true)
})
