// test/cli/payments.test.ts — online payments on the command line.
import { deepEqual, equal, match } from 'node:assert/strict'
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
