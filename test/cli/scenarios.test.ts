// test/cli/scenarios.test.ts — scenarios on the command line, and scenario files of an installation.
import { deepEqual, equal, match } from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'vitest'
import { call, emptyDirectory, run, runJson, serving, startSale } from './tollgate.ts'

const MINE = { name: 'mine', title: 'Not enough money.', like: 'insufficient_funds' }

describe('tollgate scenarios', () => {
  test.concurrent('lists the library and shows a document, which can be played', async () => {
    const { scenarios } = await runJson<{ scenarios: { name: string }[] }>(['scenarios', 'list'])
    deepEqual(scenarios[0]?.name, 'approved')
    const shown = await run(['scenarios', 'show', 'card_left_in'])
    const file = join(emptyDirectory(), 'left.json')
    writeFileSync(file, shown.stdout.replace('"card_left_in"', '"left"'))
    deepEqual((await run(['scenarios', 'check', file])).stdout, '1 scenario can be played.\n')
    const unknown = await run(['scenarios', 'show', 'nope'])
    deepEqual([unknown.code, unknown.stderr.split(';')[0]], [1, 'tollgate: There is no scenario nope'])
  })

  test.concurrent('files of the installation are played, and an invalid one prevents the start', async () => {
    const directory = emptyDirectory()
    writeFileSync(join(directory, 'mine.json'), JSON.stringify(MINE))
    const { summary } = await serving(emptyDirectory(), { TOLLGATE_SCENARIOS: directory })
    const sale = await run([
      ...['sale', '--url', summary.url, '--terminal', 'VCMDEMOSIP0', '--amount', '100', '--scenario', 'mine', '--json'],
    ])
    equal(
      (JSON.parse(sale.stdout) as { transaction: { transactionResult: string } }).transaction.transactionResult,
      'DECLINED',
    )

    const broken = emptyDirectory()
    writeFileSync(join(broken, 'a.json'), JSON.stringify({ ...MINE, plans: { approved: [{ do: 'sayy' }] } }))
    writeFileSync(join(broken, 'b.json'), '{')
    const refused = await run(['serve', '--data', emptyDirectory(), '--scenarios', broken])
    equal(refused.code, 1)
    match(refused.stderr, /b\.json: is not valid JSON/)
    match(refused.stderr, /a\.json: plans\.approved\[0\]\.do must be one of show, .* not "sayy"\./)
    match((await run(['scenarios', 'check', join(broken, 'none')])).stderr, /none: cannot be read \(ENOENT\)/)
  })
})

describe('tollgate clock', () => {
  test.concurrent('moves the time of one account in a running sandbox', async () => {
    const { summary } = await serving(emptyDirectory(), { TOLLGATE_PACE: '500' })
    const at = ['--url', summary.url]
    const frozen = await runJson<{ frozen: boolean; nowMs: number }>(['clock', 'freeze', ...at])
    const location = await startSale(summary.url, 'VCMDEMOSIP0')
    const moved = await runJson<{ nowMs: number; settled: boolean }>(['clock', 'advance', '10s', ...at])
    deepEqual([frozen.frozen, moved.settled, moved.nowMs - frozen.nowMs], [true, true, 10_000])
    const sale = (await (await call(location)).json()) as { transactionResult: string }
    equal(sale.transactionResult, 'SUCCESSFUL')
    match(
      (await run(['clock', 'set', '2099-01-01T00:00:00Z', ...at])).stderr,
      /The field to is not a time, or too far from now/,
    )
    match((await run(['clock', 'advance', 'a while', ...at])).stderr, /a number with ms, s, min, h or d/)
    match((await run(['clock', 'release', ...at])).stdout, /ms from the system clock\n$/)
    match((await run(['clock', 'reset', ...at])).stdout, /as the system clock\n$/)
    match((await run(['clock', 'show', '--url', 'http://127.0.0.1:9'])).stderr, /No gateway answers/)
  })
})

test.concurrent('tollgate timeline shows a payment, and exports it as a scenario that can be played', async () => {
  const { summary } = await serving()
  const at = ['--url', summary.url]
  const location = await startSale(summary.url, 'VCMDEMODIP0')
  const id = location.split('/').at(-1) ?? ''
  await run(['clock', 'advance', '10s', ...at])
  const { stdout } = await run(['timeline', id, ...at])
  match(stdout, /gateway → acquirer +charge +\{"answer":"declined"/)
  match(stdout, /ended +TRANSACTION_FINISHED/)
  const file = join(emptyDirectory(), 'recorded.json')
  writeFileSync(file, (await run(['timeline', id, '--scenario', ...at])).stdout)
  equal((await run(['scenarios', 'check', file])).stdout, '1 scenario can be played.\n')
  match((await run(['timeline', 'none', ...at])).stderr, /The transaction was not found/)
})

test.concurrent('tollgate timeline shows a table, by name or id, with its payments', async () => {
  const { summary } = await serving()
  const at = ['--url', summary.url]
  const send = async (method: string, path: string, body: object) => {
    const accept = 'application/connect.v1+json'
    const answer = await call(summary.url + path, { method, body: JSON.stringify(body), headers: { accept } })
    equal(answer.ok, true, await answer.text())
  }
  await send('PUT', '/pat/tables', { tableName: '7', amount: 2000, currency: 'GBP', waiterIds: ['1'] })
  const waiter = { script: 'pay_in_one', table: '7', waiterId: '1' }
  await send('POST', '/sandbox/terminals/VCMDEMOSIP0/waiter', waiter)
  await run(['clock', 'advance', '60s', ...at])
  const { stdout } = await run(['timeline', '--table', '7', ...at])
  match(stdout, /payment_begun/)
  match(stdout, /[0-9a-f]{8} +gateway → acquirer +charge/)
  match(stdout, /payment_recorded/)
  const { tables } = (await (await call(`${summary.url}/api/tables`)).json()) as { tables: { tableId: string }[] }
  equal((await run(['timeline', '--table', tables[0]!.tableId, ...at])).stdout, stdout)
  match((await run(['timeline', '--table', 'none', ...at])).stderr, /The table was not found/)
  for (const wrong of [[], ['x', '--table', '7'], ['--table', '7', '--scenario']])
    equal((await run(['timeline', ...wrong, ...at])).code, 2, wrong.join(' '))
})
