// test/cli/payments.test.ts — online payments on the command line.
import { deepEqual, equal, match } from 'node:assert/strict'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'vitest'
import { emptyDirectory, run, serving } from './tollgate.ts'

test.concurrent('payments are listed, and only one without an answer can be closed', async () => {
  const { summary } = await serving(emptyDirectory())
  const made = await fetch(`${summary.url}/v1/access-tokens`, {
    method: 'POST',
    headers: { authorization: `Bearer ${summary.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      ...{
        merchantUrl: 'shop.example',
        currencyCode: '826',
        amount: '1999',
        transactionType: 'SALE',
        orderId: 'CLI-1',
      },
    }),
  })
  const { id } = (await made.json()) as { readonly id: string }
  match((await run(['payments', 'list', '--open', '--url', summary.url])).stdout, /^PAYMENT +ORDER.*\n\w{64} +CLI-1 /)
  const by = ['--operator', 'Ann', '--reason', 'Seen in the portal', '--url', summary.url]
  const refused = await run(['payments', 'close', id, '--taken', ...by])
  deepEqual(
    [refused.code, refused.stderr],
    [1, 'tollgate: Only a payment whose acquirer has been asked and does not answer can be closed.\n'],
  )
  equal((await run(['payments', 'close', id, ...by])).stderr, 'tollgate: Say either --taken or --not-taken.\n')
  const both = await run(['payments', 'close', id, '--not-taken', '--auth-code', '1', ...by])
  equal(both.stderr, 'tollgate: What was not taken has no --auth-code.\n')
})

test.concurrent('with TOLLGATE_CLOSE_PAYMENTS=command-line only the command beside the gateway may close a payment', async () => {
  const data = emptyDirectory()
  const { summary } = await serving(data, { TOLLGATE_CLOSE_PAYMENTS: 'command-line' })
  const close = [
    'payments',
    'close',
    'none',
    '--taken',
    '--operator',
    'Ann',
    '--reason',
    'Portal',
    '--url',
    summary.url,
  ]
  match((await run(close)).stderr, /closes payments at its command line only/)
  equal((await run([...close, '--data', data])).stderr, 'tollgate: There is no payment for this access token.\n')
  // The key goes to this gateway only.
  const other = await serving(emptyDirectory(), { TOLLGATE_CLOSE_PAYMENTS: 'command-line' })
  const elsewhere = [...close.slice(0, -1), other.summary.url, '--data', data]
  match((await run(elsewhere)).stderr, /closes payments at its command line only/)
  equal(statSync(join(data, 'running.json')).mode & 0o777, 0o600)
})
