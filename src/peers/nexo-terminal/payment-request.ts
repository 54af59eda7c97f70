// src/peers/nexo-terminal/payment-request.ts — reads payments that a till asks for.
import { at, type Members, textAt } from './messages.ts'

export interface PaymentRequest {
  readonly kind: 'charge' | 'refund' | 'hold' | 'verify'
  /** Of all that is asked for, in hundredths of the currency. */
  readonly amountMinor: number
  /** Part of the amount. */
  readonly cashbackMinor: number
  readonly currency: string
  /** Whether the terminal asks for a tip. */
  readonly asksTip: boolean
  readonly saleTransaction: Members
}

/** Largest amount of the dialect, in hundredths. */
const LARGEST_MINOR = 9_999_999_999

/** Reads the body of a `PaymentRequest`; where it is not in order, the path of the member. */
export function paymentRequestIn(body: Members): PaymentRequest | { readonly missing: string } {
  const sale = at(body, 'SaleData')
  const amounts = at(body, 'PaymentTransaction', 'AmountsReq')
  const saleTransaction = at(sale, 'SaleTransactionID')
  const [amountMinor, cashbackMinor] = [
    minorOf(at(amounts, 'RequestedAmount')),
    minorOf(at(amounts, 'CashBackAmount') ?? 0),
  ]
  const currency = textAt(amounts, 'Currency')
  if (textAt(saleTransaction, 'TransactionID') === '') return { missing: 'SaleData.SaleTransactionID.TransactionID' }
  if (amountMinor === null) return { missing: 'PaymentTransaction.AmountsReq.RequestedAmount' }
  if (cashbackMinor === null || cashbackMinor > amountMinor)
    return { missing: 'PaymentTransaction.AmountsReq.CashBackAmount' }
  if (!/^[A-Z]{3}$/.test(currency)) return { missing: 'PaymentTransaction.AmountsReq.Currency' }
  const acquirerData = new URLSearchParams(textAt(sale, 'SaleToAcquirerData'))
  const asksTip = (acquirerData.get('tenderOption') ?? '').split(',').includes('AskGratuity')
  const isHold = acquirerData.get('authorisationType') === 'PreAuth'
  const isRefund = textAt(body, 'PaymentData', 'PaymentType') === 'Refund'
  const kind = isRefund ? 'refund' : isHold ? 'hold' : amountMinor === 0 ? 'verify' : 'charge'
  return { kind, amountMinor, cashbackMinor, currency, asksTip, saleTransaction: saleTransaction as Members }
}

function minorOf(amount: unknown): number | null {
  if (typeof amount !== 'number') return null
  const minor = Math.round(amount * 100)
  return Number.isSafeInteger(minor) && minor >= 0 && minor <= LARGEST_MINOR ? minor : null
}
