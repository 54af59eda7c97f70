// src/terminals/nexo/duplicates.ts — answers a DUPLICATE: the last payment of the terminal, named by the journal.
import { NO_CARD } from '../../domain/card.ts'
import type { Ending } from '../../domain/counter/transaction-events.ts'
import { NO_AMOUNTS } from '../../domain/money.ts'
import { NO_RECEIPTS } from '../../domain/receipt.ts'
import type { Asked, Exchange, Journal } from './journal.ts'
import { LineError } from './line.ts'
import type { Link } from './link.ts'
import type { Payments } from './payments.ts'
import { statusOf } from './wire/answers.ts'
import { memberAt, textOf } from './wire/lenient.ts'
import { lastPaymentBody } from './wire/messages.ts'
import { endWithoutPayment, type PaymentEnd, paymentEndOf } from './wire/payments.ts'
import { duplicated } from './wire/receipts.ts'
import { verdictOf } from './wire/results.ts'

interface DuplicateParts {
  readonly exchanges: Journal<Exchange>
  readonly payments: Pick<Payments, 'openOn'>
}

/**
 * The end of a DUPLICATE. One whose outcome is open comes first: it is the last one, and its till waits for the truth.
 * @throws LineError when the terminal does not answer
 */
export async function repetitionOf(
  { exchanges, payments }: DuplicateParts,
  link: Link,
  { account, tid, requestId }: Exchange,
  asked: Asked,
): Promise<PaymentEnd> {
  await Promise.all(payments.openOn(account, tid).map(open => open.question()))
  const latest = (await exchanges.latest(account, tid))
    .map(({ note }) => note)
    .filter(note => note.requestId !== requestId && note.asked !== null)
  const open = latest.find(({ phase }) => phase === 'sent')
  if (open !== undefined) return notKnownYet(open, asked)
  const answer = await link.ask('TransactionStatus', link.newNames(), lastPaymentBody())
  const status = statusOf(answer, null)
  if (status.status === 'not_found') return endWithoutPayment(asked, 'UNSUCCESSFUL', ['nothing_to_repeat'])
  if (status.status !== 'answered') throw new LineError('lost', `Terminal ${tid} has not repeated its last payment.`)
  const named = (member: string) => textOf(memberAt(status.header, member))
  const original = latest.find(
    ({ asked: of }) => of?.names.serviceId === named('ServiceID') && of.names.saleId === named('SaleID'),
  )
  const verdict = verdictOf(memberAt(status.payment, 'Response'))
  // A payment of another till has no name here.
  if (original?.asked == null || verdict.verdict !== 'ended')
    return endWithoutPayment(asked, 'UNSUCCESSFUL', ['nothing_to_repeat'])
  const { ending } = paymentEndOf(status.payment, verdict, original.asked)
  const repeated = repeatedOf(original, original.asked)
  return {
    ending: { ...ending, receipts: duplicated(ending.receipts), messages: [], repeated },
    ...{ shown: null, reference: null, period: null, remarks: [] },
  }
}

function notKnownYet(open: Exchange, asked: Asked): PaymentEnd {
  const ending: Ending = {
    ...{ result: 'TIMED_OUT', card: NO_CARD, authCode: '', transactionId: '', receipts: NO_RECEIPTS },
    transactionNumber: String(asked.number).padStart(4, '0'),
    amounts: { ...NO_AMOUNTS, baseMinor: open.asked?.request.amountMinor ?? 0 },
    ...{ messages: ['not_known_yet'], repeated: repeatedOf(open, open.asked) },
  }
  return { ending, shown: null, reference: null, period: null, remarks: [] }
}

function repeatedOf({ requestId, endedAt }: Exchange, original: Asked | null): Ending['repeated'] {
  const type = original?.request.transactionType
  // The journal's payments are never DUPLICATEs: those are not sent.
  if (original === null || type === undefined || type === 'DUPLICATE') return null
  return { requestId, transactionType: type, endedAt: endedAt ?? original.startedAt }
}
