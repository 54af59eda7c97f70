// test/support/totals-oracle.ts — an independent computation of report totals, as plain sums over all that a terminal has
// done. It shares only types with `src/domain/reports/totals.ts`.
import { equal } from 'node:assert/strict'
import type { ReportBody } from '../../src/api/report-body.ts'
import type { ReportType } from '../../src/domain/reports/report.ts'
import type { CountedTransaction, Totals } from '../../src/domain/reports/totals.ts'

/** Something a terminal finished: a transaction, or a report. `at`: epoch milliseconds. */
export type Deed =
  | { readonly type: 'transaction'; readonly transaction: CountedTransaction }
  | { readonly type: 'report'; readonly reportType: ReportType; readonly at: number }

/** Number and amount (minor units) of sales and refunds. */
interface Sums {
  readonly sales: readonly [count: number, minor: number]
  readonly refunds: readonly [count: number, minor: number]
}

interface Window extends Sums {
  readonly byIssuer: ReadonlyMap<string, Sums>
  readonly numbers: readonly [first: string, last: string]
}

/** All figures of a report. Maps for named groups, because a name may be `__proto__`. */
export interface Figures {
  readonly balances:
    | (Sums & {
        readonly since: number | null
        readonly cashback: readonly [count: number, minor: number]
        readonly gratuity: readonly [count: number, minor: number]
        readonly byIssuer: ReadonlyMap<string, Sums>
        readonly byWaiter: ReadonlyMap<string, Sums>
      })
    | null
  readonly banking: ReadonlyMap<string, { readonly current: Window; readonly previous: Window }> | null
}

/** Expected figures of a report of this type after these deeds, oldest first. */
export function expectedFigures(deeds: readonly Deed[], reportType: ReportType): Figures {
  return {
    balances: reportType === 'BANKING' ? null : expectedBalances(deeds),
    banking: reportType === 'BANKING' || reportType === 'END_OF_DAY' ? expectedBanking(deeds) : null,
  }
}

function expectedBalances(deeds: readonly Deed[]): Figures['balances'] {
  const end = deeds.findLastIndex(deed => isReport(deed, 'Z_BALANCE', 'END_OF_DAY'))
  const reset = deeds[end]
  const paid = moneyOf(deeds.slice(end + 1))
  const served = paid.filter(({ waiter }) => waiter !== '')
  return {
    ...sumsOf(paid),
    since: reset?.type === 'report' ? reset.at : null,
    cashback: amountOf(paid.map(({ cashbackMinor }) => cashbackMinor).filter(minor => minor !== 0)),
    gratuity: amountOf(paid.map(({ gratuityMinor }) => gratuityMinor).filter(minor => minor !== 0)),
    byIssuer: grouped(paid, ({ issuer }) => issuer, sumsOf),
    byWaiter: grouped(served, ({ waiter }) => waiter, sumsOf),
  }
}

function expectedBanking(deeds: readonly Deed[]): NonNullable<Figures['banking']> {
  const cuts = deeds.flatMap((deed, index) => (isReport(deed, 'BANKING', 'END_OF_DAY') ? [index] : []))
  const last = cuts.at(-1) ?? -1
  const lastButOne = cuts.at(-2) ?? -1
  const current = moneyOf(deeds.slice(last + 1))
  const previous = moneyOf(deeds.slice(lastButOne + 1, Math.max(last, 0)))
  const at = (name: string, paid: readonly CountedTransaction[]) =>
    windowOf(paid.filter(({ acquirer }) => acquirer === name))
  const acquirers = new Set(moneyOf(deeds).map(({ acquirer }) => acquirer))
  return new Map([...acquirers].map(name => [name, { current: at(name, current), previous: at(name, previous) }]))
}

function windowOf(paid: readonly CountedTransaction[]): Window {
  return {
    ...sumsOf(paid),
    byIssuer: grouped(paid, ({ issuer }) => issuer, sumsOf),
    numbers: [paid[0]?.transactionNumber ?? '0000', paid.at(-1)?.transactionNumber ?? '0000'],
  }
}

function isReport(deed: Deed, ...types: readonly ReportType[]): boolean {
  return deed.type === 'report' && types.includes(deed.reportType)
}

/** The transactions that moved money. */
function moneyOf(deeds: readonly Deed[]): readonly CountedTransaction[] {
  return deeds
    .flatMap(deed => (deed.type === 'transaction' ? [deed.transaction] : []))
    .filter(({ result }) => result === 'SUCCESSFUL')
    .filter(({ transactionType }) => ['SALE', 'COMPLETION', 'REFUND'].includes(transactionType))
}

function sumsOf(paid: readonly CountedTransaction[]): Sums {
  const minorOf = (refunds: boolean) =>
    paid.filter(each => (each.transactionType === 'REFUND') === refunds).map(({ totalMinor }) => totalMinor)
  return { sales: amountOf(minorOf(false)), refunds: amountOf(minorOf(true)) }
}

function amountOf(amountsMinor: readonly number[]): readonly [count: number, minor: number] {
  return [amountsMinor.length, amountsMinor.reduce((sum, minor) => sum + minor, 0)]
}

function grouped<T>(
  paid: readonly CountedTransaction[],
  nameOf: (transaction: CountedTransaction) => string,
  of: (group: readonly CountedTransaction[]) => T,
): ReadonlyMap<string, T> {
  const names = new Set(paid.map(nameOf))
  return new Map([...names].map(name => [name, of(paid.filter(each => nameOf(each) === name))]))
}

/** The figures in totals of a terminal. */
export function figuresIn({ balances, banking }: Totals): Figures {
  return {
    balances:
      balances === null
        ? null
        : {
            ...sumsIn(balances),
            since: balances.since,
            cashback: [balances.cashbackCount, balances.cashbackMinor],
            gratuity: [balances.gratuityCount, balances.gratuityMinor],
            byIssuer: mapOf(balances.byIssuer, sumsIn),
            byWaiter: mapOf(balances.byWaiter, sumsIn),
          },
    banking:
      banking === null
        ? null
        : mapOf(banking, ({ current, previous }) => ({ current: windowIn(current), previous: windowIn(previous) })),
  }
}

type Bank = NonNullable<Totals['banking']>[string]

function windowIn({ totals, byIssuer, firstNumber, lastNumber }: Bank['current']): Window {
  return { ...sumsIn(totals), byIssuer: mapOf(byIssuer, sumsIn), numbers: [firstNumber, lastNumber] }
}

function sumsIn({ salesCount, salesMinor, refundsCount, refundsMinor }: Bank['current']['totals']): Sums {
  return { sales: [salesCount, salesMinor], refunds: [refundsCount, refundsMinor] }
}

function mapOf<From, To>(record: Readonly<Record<string, From>>, to: (value: From) => To): ReadonlyMap<string, To> {
  return new Map(Object.entries(record).map(([name, value]) => [name, to(value)]))
}

type BodyBalances = NonNullable<ReportBody['balances']>
type BodySums = BodyBalances['issuerTotals'][string]

/** The figures in a report body for a site in UTC. Each total must equal sales less refunds. */
export function figuresInBody({ balances, banking }: ReportBody): Figures {
  return {
    balances:
      balances === undefined
        ? null
        : {
            ...sumsInBody(balances),
            since: balances.totalsSince === 'INSTALLATION' ? null : Date.parse(`${balances.totalsSince}Z`),
            cashback: [balances.totalCashbackCount, balances.totalCashbackAmount],
            gratuity: [balances.totalGratuityCount, balances.totalGratuityAmount],
            byIssuer: mapOf(balances.issuerTotals, sumsInBody),
            byWaiter: mapOf(balances.waiterTotals, sumsInBody),
          },
    banking:
      banking === undefined
        ? null
        : mapOf(banking, bank => ({
            current: {
              ...sumsInBody(bank.currentSessionTotals),
              byIssuer: mapOf(bank.currentSessionIssuerTotals, sumsInBody),
              numbers: pairOf(bank.currentSessionTransactionNumbers),
            },
            previous: {
              ...sumsInBody(bank.previousSessionTotals),
              byIssuer: mapOf(bank.previousSessionIssuerTotals, sumsInBody),
              numbers: pairOf(bank.previousSessionTransactionNumbers),
            },
          })),
  }
}

function sumsInBody(sums: BodySums): Sums {
  equal(sums.totalAmount, sums.totalSalesAmount - sums.totalRefundsAmount)
  return {
    sales: [sums.totalSalesCount, sums.totalSalesAmount],
    refunds: [sums.totalRefundsCount, sums.totalRefundsAmount],
  }
}

function pairOf(numbers: readonly string[]): readonly [first: string, last: string] {
  equal(numbers.length, 2)
  return [numbers[0] ?? '', numbers[1] ?? '']
}
