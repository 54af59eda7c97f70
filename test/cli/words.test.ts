// test/cli/words.test.ts — text output, arguments and prompts of the command line, without a process.
import { deepEqual, equal, match, ok, throws } from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import { describe, test } from 'vitest'
import {
  accountId,
  amountMinor,
  onOrOff,
  pace,
  receiptLine,
  terminalId,
  timeZone,
  words,
} from '../../src/cli/arguments.ts'
import { tableOf } from '../../src/cli/columns.ts'
import { meaningOf } from '../../src/cli/decimal-amount.ts'
import { askYesOrNo } from '../../src/cli/question.ts'
import { receiptText } from '../../src/cli/receipt-text.ts'
import { saleReport } from '../../src/cli/sale-report.ts'
import type { Shell } from '../../src/cli/shell.ts'

describe('arguments', () => {
  test('are parsed', () => {
    deepEqual(['2599', '0', '99999999'].map(amountMinor), [2599, 0, 99_999_999])
    deepEqual(
      [accountId('harbour-2'), terminalId('VCMDEMOSIP0'), words('  Harbour Café ')],
      ['harbour-2', 'VCMDEMOSIP0', 'Harbour Café'],
    )
    deepEqual([onOrOff('on'), onOrOff('off'), pace('0'), pace('default')], [true, false, 0, null])
    equal(timeZone('Europe/Dublin'), 'Europe/Dublin')
  })

  test.each([
    [amountMinor, ['25.99', '1.5', '1,50', '-1', '1e3', '', '25.990', '1000000.00', '100000000']],
    [accountId, ['', 'Harbour', '-a', 'a/b', 'a b', 'a'.repeat(41)]],
    [terminalId, ['', '2216-0001', 'a'.repeat(21)]],
    [words, ['', '   ', 'two\nlines', 'a'.repeat(101)]],
    [receiptLine, ['', 'a'.repeat(25)]],
    [onOrOff, ['yes', 'ON', '']],
    [pace, ['-1', '60001', 'fast']],
    [timeZone, ['Mars/Olympus']],
  ])('%o refuses invalid text', (parse, texts) => {
    for (const text of texts) throws(() => parse(text), { code: 'commander.invalidArgument' }, text)
  })
})

test.each([
  ['25.00', ['GBP'], '25.00 is 2500'],
  ['25.00', ['GBP', 'EUR'], '25.00 is 2500'],
  ['25.5', ['GBP'], '25.5 is 2550'],
  ['25,99', ['EUR'], '25,99 is 2599'],
  ['0.01', ['GBP'], '0.01 is 1'],
  ['25.00', ['JPY'], '25.00 is 25'],
  ['25.50', ['JPY'], 'JPY has no decimals'],
  ['25.00', ['KWD'], '25.00 is 25000'],
  ['25.125', ['KWD'], '25.125 is 25125'],
  ['25.00', ['GBP', 'KWD'], '25.00 in GBP is 2500, 25.00 in KWD is 25000'],
  ['25.125', ['GBP'], 'GBP has 2 decimals'],
  // One thousand or one: only a currency with three decimals tells.
  ['1,000', ['GBP'], 'GBP has 2 decimals'],
  ['1e3', ['GBP'], null],
  ['-1.00', ['GBP'], null],
])('%s in %j: %s', (text, currencies, meaning) => equal(meaningOf(text, currencies), meaning))

describe('a receipt', () => {
  test('keeps its lines in a frame of the width of the paper', () => {
    const text = receiptText([
      { value: 'CORNER SHOP', type: 'TEXT', format: ['BOLD'] },
      { value: 'TOTAL', type: 'TEXT', format: ['DOUBLE_WIDTH'] },
      { value: '', type: 'LINE_SEPARATOR_SINGLE' },
      { value: '', type: 'BOX_DECLINE' },
      { value: '', type: 'CARRIAGE_RETURN' },
      { value: '', type: 'TICKET_FEED' },
    ])
    const rows = text.split('\n')
    deepEqual([...new Set(rows.map(row => row.length))], [28])
    match(text, /│ CORNER SHOP {13} │\n│ T O T A L {15} │\n│ ─{24} │\n│ ╔═{22}╗ │\n│ ║ {7}DECLINED {7}║ │/)
  })

  test('that was not printed is empty', () => equal(receiptText([]), ''))

  test('shows bold text where colours are enabled', () => {
    const text = receiptText([{ value: 'A', type: 'TEXT', format: ['BOLD'] }], true)
    ok(text.includes(`\u001b[1m${'A'.padEnd(24)}\u001b[22m`))
  })
})

test('the report of a payment with an unknown outcome says not to try again', () => {
  const report = saleReport(
    {
      location: '',
      notifications: ['TRANSACTION_FINISHED'],
      transactionResult: 'TIMED_OUT',
      currency: 'GBP',
      amountTotal: 2599,
      paymentMethod: 'UNKNOWN',
      userMessage: 'No answer from 22160001.',
    },
    { final: false, moneyTaken: 'unknown', safeToRetry: false, nextStep: 'await_reconciliation' },
    false,
  )
  deepEqual(report.split('\n'), [
    'TIMED_OUT: GBP 25.99',
    'No answer from 22160001.',
    'It is not known yet whether money has moved. Do not try again until the gateway has resolved it.',
  ])
})

describe('a question', () => {
  const shellOf = (stdin: PassThrough) => ({ stdin, stdout: new PassThrough() }) as unknown as Shell

  test('is repeated until it is answered with yes or no', async () => {
    const stdin = new PassThrough()
    const shell = shellOf(stdin)
    const answer = askYesOrNo(shell, 'Well?', new AbortController().signal)
    let asked = 0
    shell.stdout.on('data', text => {
      // One answer for each prompt.
      if (String(text).includes('Well?')) stdin.write(['maybe\n', 'YES\n'][asked++] ?? '')
    })
    equal(await answer, true)
    equal(asked, 2)
  })

  test('can be aborted', async () => {
    const question = new AbortController()
    const answer = askYesOrNo(shellOf(new PassThrough()), 'Well?', question.signal)
    question.abort()
    equal(await answer, null)
  })
})

test('a table is as wide as its cells', () => {
  equal(
    tableOf(
      ['Id', 'Name'],
      [
        ['a', 'One'],
        ['long-id', ''],
      ],
    ),
    'ID       NAME\na        One\nlong-id',
  )
})
