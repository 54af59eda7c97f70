// test/unit/cli/currency-checks.test.ts — the doctor warns a year after the last comparison of the currency table.
import { deepEqual, match } from 'node:assert/strict'
import { test } from 'vitest'
import { checkCurrencies } from '../../../src/cli/doctor/currency-checks.ts'
import { CURRENCY_LIST } from '../../../src/domain/currency.ts'

const COMPARED_AT = Date.parse(CURRENCY_LIST.comparedOn)
const YEAR_MS = 365 * 86_400_000

test('there is no warning for a year after the comparison', () => {
  for (const at of [COMPARED_AT, COMPARED_AT + YEAR_MS]) {
    const { check, ok, warning } = checkCurrencies(at)
    deepEqual({ check, ok, warning }, { check: 'currencies', ok: true, warning: undefined })
  }
})

test('after a year there is a warning with advice, and the check still passes', () => {
  const { ok, warning, message } = checkCurrencies(COMPARED_AT + YEAR_MS + 1)
  deepEqual({ ok, warning }, { ok: true, warning: true })
  match(message, /more than a year ago; install a newer Tollgate/)
})
