// test/browser/console-lists.test.ts — the lists of the console miss nothing.
import type { Route } from 'playwright-core'
import { afterAll, beforeAll, test } from 'vitest'
import { openConsole } from './support/console-steps.ts'
import { openTown, type Town } from './support/town.ts'

let town: Town

beforeAll(async () => {
  town = await openTown()
})

afterAll(() => town?.close())

/** A sale to its end, on a terminal that presses its own keys. */
async function sellToTheEnd(amount: number): Promise<void> {
  const path = '/pac/terminals/VCMDEMOSIP0/transactions'
  const sale = { transactionType: 'SALE', amount, currency: 'GBP' }
  const { requestId } = (await town.gateway.sandbox('POST', path, sale)) as { requestId: string }
  for (;;) {
    const { transactionResult } = (await town.gateway.sandbox('GET', `${path}/${requestId}`)) as {
      transactionResult?: string
    }
    if (transactionResult !== undefined) return
    await town.gateway.sandbox('POST', '/sandbox/clock', { do: 'advance', ms: 1_000 })
  }
}

test('a sale that ends while the list is being read appears in it', async () => {
  const page = await openConsole(town)
  const sellMeanwhile = async (route: Route) => {
    const response = await route.fetch()
    await sellToTheEnd(3_333)
    await route.fulfill({ response })
  }
  await page.route('**/api/transactions?limit=25', sellMeanwhile, { times: 1 })
  await page.getByRole('link', { name: 'Transactions', exact: true }).click()
  await page.getByRole('row').filter({ hasText: '£33.33' }).waitFor()
})

test('a list that could not be read is read when the gateway answers again, although nothing happens', async () => {
  const page = await openConsole(town)
  await page.route('**/api/payments?limit=25', route => route.abort(), { times: 1 })
  await page.getByRole('link', { name: 'Online', exact: true }).click()
  await page.getByText(/^No payment yet\./).waitFor()
})
