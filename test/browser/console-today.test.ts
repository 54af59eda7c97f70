// test/browser/console-today.test.ts — the shop's day in the console agrees with the reports of its terminals.
import { deepEqual, equal, ok } from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openConsole } from './support/console-steps.ts'
import { openTown, type Town } from './support/town.ts'

let town: Town

beforeAll(async () => {
  town = await openTown()
})

afterAll(() => town?.close())

const cells = async (page: Page, table: string) => {
  const rows = await page.getByRole('region', { name: table, exact: true }).locator('tbody tr').all()
  return Promise.all(rows.map(row => row.locator('th, td').allTextContents()))
}
const count = (page: Page) => page.locator('main .lead').textContent()

interface Totals {
  readonly totalSalesAmount: number
  readonly totalSalesCount: number
  readonly totalRefundsAmount: number
  readonly totalRefundsCount: number
}

/** Runs a report on a terminal, as a till does, and reads its totals. */
async function reportOf(
  tid: string,
  reportType: string,
): Promise<{ balances?: Totals; banking?: Record<string, { currentSessionTotals: Totals }> }> {
  const path = `/pac/terminals/${tid}/reports`
  const { requestId } = (await town.gateway.sandbox('POST', path, { reportType })) as { requestId: string }
  const read = () => town.gateway.sandbox('GET', `${path}/${requestId}`) as Promise<{ notifications: string[] }>
  await expect.poll(async () => (await read()).notifications[0], { timeout: 20_000 }).toBe('REPORT_FINISHED')
  return read() as never
}

function sum(all: readonly Totals[]): Totals {
  const of = (name: keyof Totals) => all.reduce((before, each) => before + each[name], 0)
  return {
    totalSalesAmount: of('totalSalesAmount'),
    totalSalesCount: of('totalSalesCount'),
    totalRefundsAmount: of('totalRefundsAmount'),
    totalRefundsCount: of('totalRefundsCount'),
  }
}

const pounds = (minor: number) => `£${(minor / 100).toFixed(2)}`

test('an empty day says how to fill it, and then agrees with the reports of its terminals', {
  timeout: 120_000,
}, async () => {
  // Noon, so that the payments of some hours are all of this day.
  const noon = `${new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)}T12:00:00Z`
  await town.gateway.sandbox('POST', '/sandbox/clock', { do: 'set', to: noon })
  const page = await openConsole(town, '#/today')
  await page.getByText(/\/sandbox\/seed'$/).waitFor()
  // Other scripted terminals do not finish their reports.
  const terminals = ['VCMDEMOSIP0', '22160001', '22160002']
  for (const terminal of terminals)
    await town.gateway.sandbox('POST', '/sandbox/seed', { count: 8, overMs: 4 * 3_600_000, terminal })
  await expect.poll(() => count(page), { timeout: 20_000 }).toMatch(/: 24 transactions at terminals\./)
  const shown = await cells(page, 'Takings by currency')
  const balances: Totals[] = []
  const banking: Totals[] = []
  for (const tid of terminals) {
    const report = await reportOf(tid, 'END_OF_DAY')
    if (report.balances !== undefined) balances.push(report.balances)
    banking.push(...Object.values(report.banking ?? {}).map(each => each.currentSessionTotals))
  }
  const total = sum(balances)
  deepEqual(sum(banking), total)
  ok(total.totalSalesCount > 10 && total.totalRefundsCount > 0)
  deepEqual(shown, [
    [
      'GBP',
      pounds(total.totalSalesAmount - total.totalRefundsAmount),
      `${pounds(total.totalSalesAmount)} in ${total.totalSalesCount}`,
      `${pounds(total.totalRefundsAmount)} in ${total.totalRefundsCount}`,
      '£0.00',
    ],
  ])
  const reports = () => cells(page, 'Reports of the terminals')
  await expect.poll(async () => (await reports()).length, { timeout: 20_000 }).toBe(terminals.length)
  deepEqual(new Set((await reports()).map(([, tid]) => tid)), new Set(terminals))
})

test('outcomes, terminals, schemes and hours have the same transactions, as text', { timeout: 60_000 }, async () => {
  const page = await openConsole(town, '#/today')
  await expect.poll(() => count(page), { timeout: 20_000 }).toMatch(/: \d+ transactions/)
  const all = Number(/: (\d+) transactions/.exec((await count(page)) ?? '')?.[1])
  const sumOf = async (table: string) => (await cells(page, table)).reduce((sum, [, each]) => sum + Number(each), 0)
  deepEqual(await Promise.all(['Outcomes', 'Terminals', 'Card schemes'].map(sumOf)), [all, all, all])
  const [[, total = ''] = []] = await cells(page, 'Takings by currency')
  await page.getByText('The same as a table', { exact: true }).first().click()
  const hours = await cells(page, 'Takings in GBP by hour, sales less refunds')
  const minor = hours.reduce((sum, [, each = '']) => sum + Math.round(Number(each.replace('£', '')) * 100), 0)
  equal(pounds(minor), total)
  equal(await page.locator('.chart').first().getAttribute('aria-hidden'), 'true')
})

test('a sale of this moment is added by itself, and no transaction is read apart from the list', {
  timeout: 60_000,
}, async () => {
  const page = await openConsole(town, '#/today')
  const asked: string[] = []
  page.on('request', request => asked.push(new URL(request.url()).pathname))
  await expect.poll(() => count(page), { timeout: 20_000 }).toMatch(/: \d+ transactions/)
  const before = Number(/: (\d+) transactions/.exec((await count(page)) ?? '')?.[1])
  await town.gateway.sandbox('POST', '/pac/terminals/VCMDEMOSIP0/transactions', {
    ...{ transactionType: 'SALE', amount: 123, currency: 'GBP' },
  })
  await expect.poll(() => count(page), { timeout: 20_000 }).toMatch(new RegExp(`: ${before + 1} transactions`))
  ok(asked.includes('/api/transactions'))
  deepEqual(
    asked.filter(path => path.startsWith('/api/transactions/')),
    [],
  )
})
