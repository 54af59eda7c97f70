// test/unit/web/console-search.test.ts — the search and the export of the console: queries, CSV, pages.
import { deepEqual, equal, match, ok } from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'vitest'
import type { Gateway } from '../../../web/console/gateway.ts'
import { cellOf, csvOf } from '../../../web/console/transactions/csv.ts'
import { readAll } from '../../../web/console/transactions/export.ts'
import { type Filter, faultsIn, isNarrowed, NO_FILTER, queryOf } from '../../../web/console/transactions/filter.ts'
import { AT_TERMINALS, ONLINE } from '../../../web/console/transactions/source.ts'

const BOM = '\uFEFF'

test.each([
  ['plain', 'plain'],
  ['a,b', '"a,b"'],
  ['say "yes"', '"say ""yes"""'],
  ['two\nlines', '"two\nlines"'],
  ['=1+1', "'=1+1"],
  ['+44 20', "'+44 20"],
  ['-2+3', "'-2+3"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\tx', "'\tx"],
  ['\r=x', `"'\r=x"`],
  [' =1+1', "' =1+1"],
  ['＝1+1', "'＝1+1"],
  ['=HYPERLINK("http://x","y")', `"'=HYPERLINK(""http://x"",""y"")"`],
  ['-25.99', '-25.99'],
  ['25.99', '25.99'],
  [-5, '-5'],
  [null, ''],
])('the cell %j is written as %j', (value, cell) => {
  equal(cellOf(value), cell)
})

test('whatever is in the cells, a reader of CSV finds them again, and none begins a formula', () => {
  const text = fc.oneof(fc.string(), fc.constantFrom('=1', '"', ',', '\r\n', '@x', "'"))
  fc.assert(
    fc.property(fc.array(fc.tuple(text, text), { minLength: 1, maxLength: 5 }), rows => {
      const columns = [
        { name: 'A', of: (row: readonly [string, string]) => row[0] },
        { name: 'B', of: (row: readonly [string, string]) => row[1] },
      ]
      const csv = csvOf(columns, rows)
      ok(csv.startsWith(BOM))
      const [header, ...read] = parsed(csv.slice(1))
      deepEqual(header, ['A', 'B'])
      deepEqual(
        read.map(cells => cells.map((cell, index) => unguarded(cell, rows, index))),
        rows.map(row => [...row]),
      )
      for (const cell of read.flat()) ok(!/^[=+@\t\r]/.test(cell), cell)
    }),
  )
})

/** Removes the apostrophe that was put before a formula, and only that. */
function unguarded(cell: string, rows: readonly (readonly [string, string])[], index: number): string {
  const originals = new Set(rows.map(row => row[index]))
  return cell.startsWith("'") && !originals.has(cell) ? cell.slice(1) : cell
}

/** A reader of RFC 4180, of its own. */
function parsed(csv: string): string[][] {
  const rows: string[][] = []
  for (const [, lead, quoted, plain] of csv.matchAll(/(^|,|\r\n)(?:"((?:[^"]|"")*)"|([^",\r\n]*))/g)) {
    const cell = quoted === undefined ? (plain ?? '') : quoted.replaceAll('""', '"')
    if (lead === ',') rows.at(-1)?.push(cell)
    else rows.push([cell])
  }
  return rows.slice(0, -1)
}

const filter = (change: Partial<Filter>): Filter => ({ ...NO_FILTER, ...change })

test('a filter becomes the query that the list has', () => {
  equal(queryOf(NO_FILTER, 'GBP'), '')
  equal(isNarrowed(filter({ where: 'online' })), false)
  equal(isNarrowed(filter({ amount: '5' })), true)
  equal(
    queryOf(filter({ amount: '25,99', lastFour: '0042', terminal: 'a b' }), 'GBP'),
    '&terminal=a%20b&lastFour=0042&amount=2599',
  )
  equal(queryOf(filter({ result: 'DECLINED' }), 'GBP'), '&result=DECLINED')
  equal(queryOf(filter({ result: 'running' }), 'GBP'), '&status=running')
  const online = { where: 'online', orderId: 'A&1', status: '0', terminal: 'x', result: 'VOID' } as const
  equal(queryOf(filter(online), 'GBP'), '&orderId=A%261&status=0')
})

test('a period has whole days, the last one included', () => {
  const query = new URLSearchParams(queryOf(filter({ from: '2026-03-28', to: '2026-03-29' }), 'GBP'))
  const [from, to] = [new Date(query.get('from') ?? ''), new Date(query.get('to') ?? '')]
  deepEqual([from.getDate(), from.getHours(), to.getDate(), to.getHours()], [28, 0, 30, 0])
})

test('what is typed wrong is said, by field', () => {
  deepEqual(faultsIn(NO_FILTER, 'GBP'), {})
  deepEqual(
    Object.keys(faultsIn(filter({ lastFour: '12', amount: 'ten', from: '2026-02-02', to: '2026-02-01' }), 'GBP')),
    ['lastFour', 'amount', 'to'],
  )
})

/** A gateway whose list has so many items, and counts what is asked. */
function gatewayWith(count: number): { readonly gateway: Gateway; readonly asked: string[] } {
  const asked: string[] = []
  const get = async (path: string) => {
    asked.push(path)
    const query = new URL(path, 'http://x').searchParams
    const begin = Number(query.get('before') ?? count + 1) - 1
    const end = Math.max(0, begin - Number(query.get('limit')))
    const transactions = Array.from({ length: begin - end }, (_, index) => ({ requestId: String(begin - index) }))
    return { ok: true, body: { transactions, next: end === 0 ? null : end + 1 } }
  }
  return { gateway: { get } as unknown as Gateway, asked }
}

const reading = (most: number, onProgress: (rows: number) => void = () => {}) => ({
  ...{ signal: new AbortController().signal, onProgress, most },
})

test('an export has all pages once, in order, and says how far it is', async () => {
  const { gateway, asked } = gatewayWith(450)
  const progress: number[] = []
  const read = await readAll(
    gateway,
    AT_TERMINALS,
    '&result=VOID',
    reading(1_000, rows => progress.push(rows)),
  )
  ok('rows' in read)
  equal(read.isCut, false)
  deepEqual(
    read.rows.map(AT_TERMINALS.idOf),
    Array.from({ length: 450 }, (_, index) => String(450 - index)),
  )
  deepEqual(progress, [200, 400, 450])
  for (const path of asked) match(path, /&result=VOID$/)
})

test.each([
  [400, 400, false],
  [401, 400, true],
  [399, 400, false],
  [1_000, 500, true],
])('of %i rows an export of at most %i is cut: %j', async (count, most, isCut) => {
  const read = await readAll(gatewayWith(count).gateway, AT_TERMINALS, '', reading(most))
  ok('rows' in read)
  deepEqual([read.isCut, read.rows.length], [isCut, Math.min(count, most)])
})

test('an export that is refused half-way has no rows, but the reason', async () => {
  const { gateway } = gatewayWith(450)
  let answers = 0
  const get: Gateway['get'] = (path, options) =>
    ++answers < 2
      ? gateway.get(path, options)
      : Promise.resolve({ ok: false, status: 503, sentence: 'Try later.', exchange: {} as never })
  deepEqual(await readAll({ ...gateway, get }, AT_TERMINALS, '', reading(1_000)), { problem: 'Try later.' })
})

test('columns are named once, and a payment is written with the amount of its currency', () => {
  for (const { columns } of [AT_TERMINALS, ONLINE]) equal(new Set(columns.map(({ name }) => name)).size, columns.length)
  const amount = ONLINE.columns.find(({ name }) => name === 'Amount')
  deepEqual(
    ['GBP', 'JPY', 'KWD'].map(currency => amount?.of({ amountMinor: 2_599, currency } as never)),
    ['25.99', '2599', '2.599'],
  )
})

test('a transaction is written with what was asked of its card, and with nothing while it runs', () => {
  const cells = (row: object) =>
    ['Amount', 'Total', 'Gratuity', 'Cashback', 'Scheme'].map(name =>
      AT_TERMINALS.columns.find(column => column.name === name)?.of(row as never),
    )
  const row = { amountMinor: 1_000, currency: 'GBP' }
  deepEqual(cells({ ...row, totalMinor: 1_650, gratuityMinor: 150, cashbackMinor: 500, scheme: 'VISA' }), [
    ...['10.00', '16.50', '1.50', '5.00'],
    'VISA',
  ])
  deepEqual(cells({ ...row, totalMinor: null, gratuityMinor: null, cashbackMinor: null, scheme: null }), [
    '10.00',
    ...[null, null, null, null],
  ])
})
