// src/peers/nexo-terminal/payment-response.ts — the answer to a payment, with the card and the receipts.
import type { Behaviour } from './behaviour.ts'
import { at, type Members, textAt } from './messages.ts'
import type { Outcome } from './outcomes.ts'
import type { PaymentRequest } from './payment-request.ts'

/** A payment that has ended. Amounts are in hundredths of the currency. */
export interface Payment {
  readonly response: Members
  readonly takenMinor: number
  readonly cashbackMinor: number
  readonly tipMinor: number
  readonly authCode: string
  readonly transactionId: string
}

/** First approval code. Each payment has the next one. */
const FIRST_CODE = 654_321
const MASKED_CARD = '411111 **** 1111'

/**
 * Ends a payment.
 * @param made number of the payment, from 1, and its time in epoch milliseconds
 */
export function paymentOf(
  request: PaymentRequest,
  outcome: Outcome,
  { faults }: Behaviour,
  made: { readonly number: number; readonly at: number; readonly period: number },
): Payment {
  const isPart = faults.has('partly_approved') && textAt(outcome.response, 'Result') === 'Success'
  const response = isPart ? { ...outcome.response, Result: 'Partial' } : outcome.response
  const number = String(made.number)
  const transactionId = `test00155652959${number.padStart(4, '0')}.PSP${number.padStart(13, '0')}`
  const timeStamp = new Date(made.at).toISOString()
  const common = {
    Response: response,
    SaleData: { SaleTransactionID: request.saleTransaction },
    POIData: {
      POITransactionID: { TransactionID: transactionId, TimeStamp: timeStamp },
      ...(faults.has('period_not_named') ? {} : { POIReconciliationID: String(made.period) }),
    },
  }
  if (textAt(response, 'Result') === 'Failure')
    return { response: common, transactionId, ...{ takenMinor: 0, cashbackMinor: 0, tipMinor: 0, authCode: '' } }
  const amounts = amountsOf(request, faults, isPart)
  const authCode = String((FIRST_CODE + made.number - 1) % 1_000_000).padStart(6, '0')
  const whole = { ...common, ...paidOf(request, outcome, amounts, authCode) }
  const sent = faults.has('card_number_sent') ? withCardNumber(whole) : whole
  return { response: sent, transactionId, authCode, ...amounts }
}

type Amounts = Pick<Payment, 'takenMinor' | 'cashbackMinor' | 'tipMinor'>

function amountsOf(request: PaymentRequest, faults: Behaviour['faults'], isPart: boolean): Amounts {
  const { kind, amountMinor, asksTip } = request
  if (isPart) return { takenMinor: Math.floor(amountMinor / 2), cashbackMinor: 0, tipMinor: 0 }
  const refusedMinor = faults.has('cashback_refused') ? request.cashbackMinor : 0
  const tipMinor = asksTip && kind === 'charge' ? (faults.get('tip') ?? 0) : 0
  return {
    takenMinor: amountMinor - refusedMinor + tipMinor,
    ...{ cashbackMinor: request.cashbackMinor - refusedMinor, tipMinor },
  }
}

function paidOf(
  { currency }: PaymentRequest,
  { entryMode, authentication }: Outcome,
  { takenMinor, cashbackMinor, tipMinor }: Amounts,
  authCode: string,
): Members {
  const isSigned = authentication === 'PaperSignature'
  return {
    PaymentResult: {
      AmountsResp: {
        ...{ Currency: currency, AuthorizedAmount: takenMinor / 100 },
        ...(tipMinor > 0 ? { TipAmount: tipMinor / 100 } : {}),
        ...(cashbackMinor > 0 ? { CashBackAmount: cashbackMinor / 100 } : {}),
      },
      ...{ OnlineFlag: true, AuthenticationMethod: [authentication] },
      PaymentInstrumentData: {
        PaymentInstrumentType: 'Card',
        CardData: { PaymentBrand: 'visa', MaskedPan: MASKED_CARD, EntryMode: [entryMode] },
      },
      PaymentAcquirerData: { ApprovalCode: authCode },
    },
    PaymentReceipt: [
      receiptOf('CashierReceipt', takenMinor, isSigned),
      receiptOf('CustomerReceipt', takenMinor, false),
    ],
  }
}

function receiptOf(DocumentQualifier: string, takenMinor: number, RequiredSignatureFlag: boolean): Members {
  const line = (text: string) => ({ Text: text, EndOfLineFlag: true })
  const total = `name=TOTAL&value=${(takenMinor / 100).toFixed(2)}&key=totalAmount`
  const OutputText = [line('name=Card&value=**** 1111&key=pan'), line(total)]
  return { DocumentQualifier, RequiredSignatureFlag, OutputContent: { OutputFormat: 'Text', OutputText } }
}

/** The answer with a test card number in each place where one has been seen. */
function withCardNumber(response: Members): Members {
  const number = '4111111111111111'
  const track = [{ TrackNumb: 2, TrackValue: `${number}=30121010000000000000` }]
  const sensitive = { PAN: number, TrackData: track, ExpiryDate: '1230' }
  const card = { PaymentBrand: number, MaskedPan: number, SensitiveCardData: sensitive }
  const text = { OutputFormat: 'Text', OutputText: [{ Text: `name=Card&value=${number}&key=pan` }] }
  return {
    ...response,
    Response: {
      ...(response['Response'] as Members),
      AdditionalResponse: `applicationPreferredName=${number}&AID=${number}&authCode=${number}`,
    },
    POIData: { POITransactionID: { TransactionID: number, TimeStamp: number } },
    PaymentResult: {
      ...(at(response, 'PaymentResult') as Members),
      PaymentInstrumentData: { PaymentInstrumentType: 'Card', CardData: card },
      PaymentAcquirerData: { ApprovalCode: number },
    },
    PaymentReceipt: [{ DocumentQualifier: 'CustomerReceipt', OutputContent: text }],
  }
}
