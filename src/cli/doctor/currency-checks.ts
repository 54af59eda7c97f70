// src/cli/doctor/currency-checks.ts — checks how old the list of currencies is.
import { CURRENCY_LIST } from '../../domain/currency.ts'
import { type Finding, fine, warning } from './finding.ts'

/** Currencies change once or twice a year. */
const GOOD_FOR_MS = 365 * 86_400_000

/** Warns when the list of currencies was compared with ISO 4217 more than a year ago. @param at now, in epoch milliseconds */
export function checkCurrencies(at: number): Finding {
  const { amendment, comparedOn } = CURRENCY_LIST
  const state = `ISO 4217 up to amendment ${amendment}, compared with the published list on ${comparedOn}`
  return at - Date.parse(comparedOn) <= GOOD_FOR_MS
    ? fine('currencies', state)
    : warning(
        'currencies',
        `${state}, more than a year ago; install a newer Tollgate, or compare it (CONTRIBUTING.md).`,
      )
}
