// test/unit/cli/currency-checks.test.ts — the doctor warns when nobody has compared the table of currencies for a year.
import { deepEqual, match } from 'node:assert/strict'
import { test } from 'vitest'
import { checkCurrencies } from '../../../src/cli/doctor/currency-checks.ts'
import { CURRENCY_LIST } from '../../../src/domain/currency.ts'

const COMPARED_AT = Date.parse(CURRENCY_LIST.comparedOn)
const YEAR_MS = 365 * 86_400_000

test('for a year after the comparison all is well', () => {
  for (const at of [COMPARED_AT, COMPARED_AT + YEAR_MS]) {
    const { check, ok, warning } = checkCurrencies(at)
    deepEqual({ check, ok, warning }, { check: 'currencies', ok: true, warning: undefined })
  }
})

test('after that it is a warning, which says what to do and is no problem', () => {
  const { ok, warning, told } = checkCurrencies(COMPARED_AT + YEAR_MS + 1)
  deepEqual({ ok, warning }, { ok: true, warning: true })
  match(told, /more than a year ago; install a newer Tollgate/)
})
