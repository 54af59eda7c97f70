// web/console/transactions/source.ts — the two lists of the account: transactions at terminals, and online payments.
import type { Gateway } from '../gateway.ts'
import { decimalsOf } from '../money.ts'
import { outcomeOf, PAYMENTS, type Payment } from '../online/payment.ts'
import type { Listing, Page } from '../parts/live-pages.ts'
import type { Column } from './csv.ts'
import type { ListedTransaction } from './listed-transaction.ts'

/** One list of the management API, and how it is exported. */
export interface Source<Item> extends Listing<Item> {
  /** Columns of an export. */
  readonly columns: readonly Column<Item>[]
}

export const AT_TERMINALS: Source<ListedTransaction> = {
  ...{ path: '/api/transactions', field: 'transactions', kind: 'terminal-transaction' },
  idOf: ({ requestId }) => requestId,
  columns: [
    { name: 'Started', of: ({ startedAt }) => startedAt },
    { name: 'Finished', of: ({ finishedAt }) => finishedAt },
    { name: 'Terminal', of: ({ tid }) => tid },
    { name: 'Type', of: ({ transactionType }) => transactionType },
    { name: 'Amount', of: amountOf },
    { name: 'Currency', of: ({ currency }) => currency },
    { name: 'Result', of: ({ result }) => result },
    { name: 'Progress', of: ({ progress }) => progress },
    { name: 'Money taken', of: ({ verdict }) => verdict.moneyTaken },
    { name: 'Total', of: ({ totalMinor, currency }) => inUnit(totalMinor, currency) },
    { name: 'Gratuity', of: ({ gratuityMinor, currency }) => inUnit(gratuityMinor, currency) },
    { name: 'Cashback', of: ({ cashbackMinor, currency }) => inUnit(cashbackMinor, currency) },
    { name: 'Scheme', of: ({ scheme }) => scheme },
    { name: 'Next step', of: ({ verdict }) => verdict.nextStep },
    { name: 'Table', of: ({ table }) => table?.tableId ?? null },
    { name: 'Request id', of: ({ requestId }) => requestId },
  ],
}

export const ONLINE: Source<Payment> = {
  ...PAYMENTS,
  columns: [
    { name: 'Created', of: ({ createdAt }) => createdAt },
    { name: 'Finished', of: ({ finishedAt }) => finishedAt },
    { name: 'Order id', of: ({ orderId }) => orderId },
    { name: 'Type', of: ({ transactionType }) => transactionType },
    { name: 'Amount', of: amountOf },
    { name: 'Currency', of: ({ currency }) => currency },
    { name: 'Status', of: payment => outcomeOf(payment).name },
    { name: 'Status code', of: ({ statusCode }) => statusCode },
    { name: 'Money taken', of: ({ verdict }) => verdict.moneyTaken },
    { name: 'Next step', of: ({ verdict }) => verdict.nextStep },
    { name: 'Scheme', of: ({ card }) => card?.scheme ?? null },
    { name: 'Card', of: ({ card }) => card?.number ?? null },
    { name: 'Authorisation code', of: ({ authCode }) => authCode },
    { name: 'Cross reference', of: ({ crossReference }) => crossReference },
    { name: 'Payment id', of: ({ id }) => id },
  ],
}

/** In the unit of the currency, with a point: what spreadsheets read as a number. */
function inUnit(minor: number | null, currency: string): string | null {
  const decimals = decimalsOf(currency)
  return minor === null ? null : (minor / 10 ** decimals).toFixed(decimals)
}

function amountOf({ amountMinor, currency }: { readonly amountMinor: number; readonly currency: string }) {
  return inUnit(amountMinor, currency)
}

/** Reads a page. @param query filters, each with `&` before it */
export async function readPage<Item>(
  gateway: Gateway,
  source: Source<Item>,
  query: string,
  {
    limit,
    before = null,
    signal,
  }: { readonly limit: number; readonly before?: number | null; readonly signal: AbortSignal },
): Promise<Page<Item> | { readonly problem: string }> {
  const older = before === null ? '' : `&before=${before}`
  const path = `${source.path}?limit=${limit}${older}${query}`
  const answered = await gateway.get<Readonly<Record<string, unknown>>>(path, { signal })
  if (!answered.ok) return { problem: answered.sentence }
  return { items: answered.body[source.field] as readonly Item[], next: answered.body['next'] as number | null }
}
