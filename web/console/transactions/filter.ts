// web/console/transactions/filter.ts — what a list is narrowed to, and the query that asks for it.
import { minorOf } from '../money.ts'

/** As people type it; empty fields narrow nothing. */
export interface Filter {
  readonly where: 'terminals' | 'online'
  readonly terminal: string
  readonly orderId: string
  readonly lastFour: string
  readonly amount: string
  /** Days of the calendar here, YYYY-MM-DD; both are included. */
  readonly from: string
  readonly to: string
  /** Result of a transaction, or `running`. */
  readonly result: string
  /** Status code of an online payment. */
  readonly status: string
}

export const NO_FILTER: Filter = {
  ...{
    where: 'terminals',
    terminal: '',
    orderId: '',
    lastFour: '',
    amount: '',
    from: '',
    to: '',
    result: '',
    status: '',
  },
}

/** Whether anything is narrowed. */
export function isNarrowed(filter: Filter): boolean {
  return Object.entries(filter).some(([name, value]) => name !== 'where' && value !== '')
}

/** What is wrong with a filter, by field; empty when nothing is. */
export function faultsIn(filter: Filter, currency: string): Readonly<Partial<Record<keyof Filter, string>>> {
  const { lastFour, amount, from, to } = filter
  return {
    ...(/^(\d{4})?$/.test(lastFour) ? {} : { lastFour: 'Type four digits.' }),
    ...(amount === '' || minorOf(amount, currency) !== null ? {} : { amount: 'Type an amount, such as 25.99.' }),
    ...(from === '' || to === '' || from <= to ? {} : { to: 'Choose a day that is not before the first.' }),
  }
}

/** The filters that the API has for the list, each with `&` before it. @param currency that amounts are typed in */
export function queryOf(filter: Filter, currency: string): string {
  const { where, terminal, orderId, lastFour, amount, from, to, result, status } = filter
  const minor = amount === '' ? null : minorOf(amount, currency)
  const own = where === 'terminals' ? { terminal, ...resultOf(result) } : { orderId, status }
  const fields = {
    ...{ ...own, lastFour, amount: minor === null ? '' : String(minor) },
    from: from === '' ? '' : startOf(from, 0),
    to: to === '' ? '' : startOf(to, 1),
  }
  return Object.entries(fields)
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `&${name}=${encodeURIComponent(value)}`)
    .join('')
}

function resultOf(result: string) {
  return result === 'running' ? { status: 'running' } : { result }
}

/** When a day begins here. @param later days after it */
function startOf(day: string, later: number): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  return new Date(year, month - 1, date + later).toISOString()
}
