// web/console/actions/since.ts — refunds of a sale, or completions of a pre-authorisation, as far as they can be told.
import type { Gateway } from '../gateway.ts'
import { lastFourOf, type TransactionInFull } from '../transactions/in-full.ts'
import type { ListedTransaction } from '../transactions/listed-transaction.ts'
import { type Since, sumOf } from './available.ts'

interface Page {
  readonly transactions: readonly ListedTransaction[]
  readonly next: number | null
}

/** Transactions that are looked at. A card with more of them since is not one that somebody refunds by hand. */
const MOST = 1_000
const PAGE = 200

/**
 * Reads what has been done since with the card of a transaction. The gateway does not tie a refund at a terminal to its sale, so
 * refunds are those to cards with the same last four digits, in the same currency. Completions bear the authorisation code.
 * @returns null when it cannot be told
 */
export async function readSince(gateway: Gateway, transaction: TransactionInFull): Promise<Since | null> {
  const lastFour = lastFourOf(transaction)
  if (lastFour === null) return null
  const isPreAuth = transaction.transactionType === 'PRE_AUTH'
  const followers = await cardSince(gateway, transaction, lastFour, isPreAuth ? 'COMPLETION' : 'REFUND')
  if (followers === null || !isPreAuth) return followers && sumOf(followers)
  const code = transaction.connect.authCode
  const full = await Promise.all(
    followers.map(({ requestId }) => gateway.get<TransactionInFull>(`/api/transactions/${requestId}`)),
  )
  const read = full.flatMap(answered => (answered.ok ? [answered.body] : []))
  if (read.length < full.length) return null
  return sumOf(read.filter(({ record }) => record.request.authCode === code))
}

async function cardSince(
  gateway: Gateway,
  { startedAt, currency }: TransactionInFull,
  lastFour: string,
  type: string,
): Promise<readonly ListedTransaction[] | null> {
  const found: ListedTransaction[] = []
  let before = ''
  for (let read = 0; read < MOST; read += PAGE) {
    const filters = `lastFour=${lastFour}&from=${encodeURIComponent(startedAt)}`
    const answered = await gateway.get<Page>(`/api/transactions?limit=${PAGE}&${filters}${before}`)
    if (!answered.ok) return null
    const { transactions, next } = answered.body
    found.push(...transactions.filter(each => each.transactionType === type && each.currency === currency))
    if (next === null) return found
    before = `&before=${next}`
  }
  return null
}
