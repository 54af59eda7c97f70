// test/cli/payments.test.ts — online payments on the command line.
import { deepEqual, equal, match } from 'node:assert/strict'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'vitest'
import { emptyDirectory, run, serving } from './tollgate.ts'

/** Issues an access token on a running gateway. */
async function unpaid({ url, token }: { readonly url: string; readonly token: string | null }): Promise<string> {
  const order = { merchantUrl: 'shop.example', currencyCode: '826', amount: '1999' }
  const made = await fetch(`${url}/v1/access-tokens`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ ...order, transactionType: 'SALE', orderId: 'CLI-1' }),
  })
  return ((await made.json()) as { readonly id: string }).id
}

// A dozen commands, beside those of other tests.
test.concurrent('payments are listed, and only one without an answer can be closed', { timeout: 90_000 }, async () => {
  const { summary } = await serving(emptyDirectory())
  const id = await unpaid(summary)
  match((await run(['payments', 'list', '--open', '--url', summary.url])).stdout, /^PAYMENT +ORDER.*\n\w{64} +CLI-1 /)
  const list = async (...filters: string[]) =>
    (await run(['payments', 'list', '--url', summary.url, ...filters])).stdout
  match(await list('--amount', '1999', '--order', 'CLI-1', '--from', '2020-01-01'), / CLI-1 /)
  match(await list('--limit', '1'), /There may be more: add --before \d+\.\n$/)
  for (const filters of [
    ['--amount', '2000'],
    ['--status', '0'],
    ['--last-four', '0056'],
    ['--to', '2020-01-01'],
  ])
    equal((await list(...filters)).includes('CLI-1'), false, filters.join(' '))
  const wrong = await run(['payments', 'list', '--amount', '19.99', '--url', summary.url])
  match(wrong.stderr, /The filter amount is not valid\..*2599 is 25\.99/)
  const by = ['--operator', 'Ann', '--reason', 'Seen in the portal', '--url', summary.url]
  const refused = await run(['payments', 'close', id, '--taken', ...by])
  deepEqual(
    [refused.code, refused.stdout, refused.stderr],
    [
      ...[1, 'SALE of GBP 19.99 for order CLI-1: closing as taken\n'],
      'tollgate: Only a payment with an unanswered acquirer request can be closed.\n',
    ],
  )
  equal((await run(['payments', 'close', id, ...by])).stderr, 'tollgate: Give either --taken or --not-taken.\n')
  const sale = await fetch(`${summary.url}/pac/terminals/22160001/transactions`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa('till:demo-api-key')}`, 'content-type': 'application/json' },
    body: JSON.stringify({ transactionType: 'SALE', amount: 1999, currency: 'GBP' }),
  })
  const { requestId } = (await sale.json()) as { readonly requestId: string }
  const running = await run(['payments', 'close', requestId, '--at-terminal', '--taken', ...by])
  deepEqual(
    [running.code, running.stdout, running.stderr],
    [
      ...[1, 'SALE of GBP 19.99 on terminal 22160001: closing as taken\n'],
      'tollgate: Only a transaction that timed out on a terminal with an acquirer of its own can be closed, once.\n',
    ],
  )
  const both = await run(['payments', 'close', id, '--not-taken', '--auth-code', '1', ...by])
  equal(both.stderr, 'tollgate: --auth-code needs --taken.\n')
})

test.concurrent('with TOLLGATE_CLOSE_PAYMENTS=command-line only the command beside the gateway may close a payment', {
  timeout: 90_000,
}, async () => {
  const data = emptyDirectory()
  const { summary } = await serving(data, { TOLLGATE_CLOSE_PAYMENTS: 'command-line' })
  const by = ['--taken', '--operator', 'Ann', '--reason', 'Portal']
  const close = ['payments', 'close', await unpaid(summary), ...by, '--url', summary.url]
  match((await run(close)).stderr, /closes payments at its command line only/)
  match((await run([...close, '--data', data])).stderr, /Only a payment with an unanswered acquirer request/)
  // The key goes to this gateway only.
  const { summary: other } = await serving(emptyDirectory(), { TOLLGATE_CLOSE_PAYMENTS: 'command-line' })
  const elsewhere = ['payments', 'close', await unpaid(other), ...by, '--url', other.url, '--data', data]
  match((await run(elsewhere)).stderr, /closes payments at its command line only/)
  equal(statSync(join(data, 'running.json')).mode & 0o777, 0o600)
})
