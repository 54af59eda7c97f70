// src/terminals/nexo/wire/messages.ts — builds the requests to a terminal. Pure.
import type { TransactionRequest } from '../../../domain/counter/transaction-events.ts'
import type { ReportType } from '../../../domain/reports/report.ts'
import type { Message } from '../codec.ts'
import { majorOf } from './amounts.ts'
import type { Members } from './lenient.ts'

export type Category =
  | 'Payment'
  | 'Abort'
  | 'TransactionStatus'
  | 'Diagnosis'
  | 'Login'
  | 'GetTotals'
  | 'Reconciliation'

/** Names of both sides, and of the exchange between them. */
export interface Names {
  readonly saleId: string
  readonly poiId: string
  /** At most ten letters and digits, new for each request. */
  readonly serviceId: string
}

const PROTOCOL_VERSION = '3.0'

/** A request with its header. */
export function requestOf(category: Category, { saleId, poiId, serviceId }: Names, body: Members): Message {
  const header = {
    ...{ ProtocolVersion: PROTOCOL_VERSION, MessageClass: 'Service', MessageCategory: category },
    ...{ MessageType: 'Request', ServiceID: serviceId, SaleID: saleId, POIID: poiId },
  }
  return { envelope: 'SaleToPOIRequest', header, body: { [`${category}Request`]: body } }
}

export interface PaymentOrder {
  /** The merchant's reference of the payment in the provider's reports. */
  readonly saleTransactionId: string
  /** Epoch milliseconds. */
  readonly startedAt: number
  readonly request: TransactionRequest
  /** Whether the terminal asks for a tip. */
  readonly gratuity: boolean
  /** Whether the terminal prints the receipts. */
  readonly printing: boolean
}

/** Body of a payment, refund, pre-authorisation or verification. @throws RangeError when an amount is too large */
export function paymentBody({ saleTransactionId, startedAt, request, ...options }: PaymentOrder): Members {
  const { transactionType: type, amountMinor, cashbackMinor, currency, table } = request
  const asked = amountMinor + cashbackMinor + (table?.gratuityMinor ?? 0)
  const acquirerData = acquirerDataOf(request, options)
  return {
    SaleData: {
      SaleTransactionID: { TransactionID: saleTransactionId, TimeStamp: timeOf(startedAt) },
      ...(table === undefined ? {} : { OperatorID: table.waiterId }),
      ...(acquirerData === '' ? {} : { SaleToAcquirerData: acquirerData }),
    },
    PaymentTransaction: {
      AmountsReq: {
        ...{ Currency: currency, RequestedAmount: majorOf(asked) },
        ...(cashbackMinor > 0 ? { CashBackAmount: majorOf(cashbackMinor) } : {}),
      },
    },
    ...(type === 'REFUND' ? { PaymentData: { PaymentType: 'Refund' } } : {}),
  }
}

/** Form-encoded, so that AdditionalResponse comes form-encoded too. */
function acquirerDataOf(
  { transactionType: type, cardholderNotPresent, table }: TransactionRequest,
  { gratuity, printing }: Pick<PaymentOrder, 'gratuity' | 'printing'>,
): string {
  const options = [
    // Without it a terminal that has no printer fails the payment.
    ...(printing ? [] : ['ReceiptHandler']),
    // The tip of a table is agreed before.
    ...(gratuity && type === 'SALE' && table === undefined ? ['AskGratuity'] : []),
    ...(cardholderNotPresent ? ['MOTO'] : []),
  ]
  return [
    ...(options.length === 0 ? [] : [`tenderOption=${options.join(',')}`]),
    ...(type === 'PRE_AUTH' ? ['authorisationType=PreAuth'] : []),
  ].join('&')
}

/** Body of an abort. It names the request to stop by the ServiceID of that one. */
export function abortBody({ saleId, poiId, serviceId }: Names): Members {
  const reference = { MessageCategory: 'Payment', ServiceID: serviceId, SaleID: saleId, POIID: poiId }
  return { AbortReason: 'MerchantAbort', MessageReference: reference }
}

/** Body of the question for the state of one payment. */
export function statusBody({ saleId, poiId, serviceId }: Names): Members {
  return {
    ...{ ReceiptReprintFlag: false, DocumentQualifier: ['CashierReceipt', 'CustomerReceipt'] },
    MessageReference: { MessageCategory: 'Payment', ServiceID: serviceId, SaleID: saleId, POIID: poiId },
  }
}

/** Body of the question for the last payment, with its receipts. */
export function lastPaymentBody(): Members {
  return {
    ...{ ReceiptReprintFlag: true, DocumentQualifier: ['CashierReceipt', 'CustomerReceipt'] },
    MessageReference: { MessageCategory: 'Payment' },
  }
}

/** Body of a login, which totals need. It is no authentication. @param at epoch milliseconds */
export function loginBody(at: number, software: { readonly name: string; readonly version: string }): Members {
  return {
    DateTime: timeOf(at),
    SaleSoftware: {
      ...{ ManufacturerID: software.name, ApplicationName: software.name, SoftwareVersion: software.version },
      CertificationCode: '-',
    },
    OperatorLanguage: 'en',
  }
}

/** Body of the question for the totals of the current period, those of this till only. */
export function totalsBody(saleId: string): Members {
  return { TotalFilter: { SaleID: saleId } }
}

/** Body of a reconciliation, which ends the current period. */
export function reconciliationBody(): Members {
  return { ReconciliationType: 'SaleReconciliation' }
}

/** Body of the question for the totals of a period that has ended. */
export function previousReconciliationBody(reconciliationId: string): Members {
  return { ReconciliationType: 'PreviousReconciliation', POIReconciliationID: reconciliationId }
}

/** Whether a report ends the period of its totals. */
export function endsPeriod(type: ReportType): boolean {
  return type === 'Z_BALANCE' || type === 'END_OF_DAY'
}

function timeOf(at: number): string {
  return new Date(at).toISOString()
}
