// src/api/rpc/pushes.ts — the messages that the gateway sends a till unasked, in the newest version. Terminal socket
// reference 5.7 and 5.8.
import { Type } from 'typebox'
import type { Notification } from '../../domain/notifications.ts'
import { oneOf } from '../schemas.ts'
import { exactly, SIGNATURE_QUESTION, TID } from './shapes.ts'
import type { Forms } from './versions/forms.ts'

/** Every notification, and what it means for the cashier. */
const MEANINGS: Readonly<Record<Notification, string>> = {
  TRANSACTION_STARTED: 'The terminal has taken the request.',
  PRESENT_CARD: 'The customer is asked for a card.',
  INSERT_CARD: 'The card is to be inserted.',
  RE_PRESENT_CARD: 'The card is to be presented again.',
  PRESENT_ONLY_ONE_CARD: 'Two cards were held to the reader.',
  REMOVE_CARD: 'The card is to be taken out.',
  BAD_SWIPE: 'The stripe could not be read.',
  ENTER_CASHBACK: 'The terminal asks for the cashback.',
  PIN_ENTRY: 'The customer types the PIN.',
  PLEASE_WAIT: 'The terminal works.',
  CONNECTING: 'The acquirer is being called.',
  CONNECTION_MADE: 'The acquirer has answered the call.',
  REQUEST_SENT: 'The acquirer has the request.',
  RETRYING: 'The acquirer is being called again.',
  APPROVED: 'Authorised. Not the final word.',
  DECLINED: 'Declined by the issuer. Not the final word.',
  DECLINED_BY_CARD: 'Declined by the card itself.',
  CARD_ERROR: 'The card does not work.',
  CARD_EXPIRED: 'The card has expired.',
  CARD_NOT_SUPPORTED: 'Cards of this kind are not taken.',
  PROCESSING_ERROR: 'Something went wrong on the way.',
  SIGNATURE_VERIFICATION: 'The signature is to be checked.',
  SIGNATURE_VERIFICATION_IN_PROGRESS: 'The till has been asked for its decision.',
  SIGNATURE_VERIFICATION_PROCESS_COMPLETED: 'The decision was applied.',
  SIGNATURE_VERIFICATION_PROCESS_COULD_NOT_BE_COMPLETED: 'The decision could not be applied.',
  SIGNATURE_VERIFICATION_TIMEOUT: 'No decision came in time; the signature counts as accepted.',
  ATTEMPTING_CANCEL: 'The cancel is on its way to the terminal.',
  CANCELLING: 'The terminal has accepted the cancel.',
  UNABLE_TO_CANCEL: 'The terminal has refused the cancel.',
  UNABLE_TO_CANCEL_TRANSACTION: 'The cancel came too late; the transaction goes on.',
  CANCELLED_TRANSACTION: 'The cancel has worked.',
  REPLACE_PAPER: 'The printer needs paper.',
  TRANSACTION_FINISHED: 'The last one; the result follows.',
}

const NOTIFICATIONS = Object.keys(MEANINGS)

const EXAMPLE_QUESTION = {
  timeout: 80,
  tid: '22160001',
  transactionType: 'SALE',
  authCode: 'Q4R8T1',
  applicationId: '',
  applicationLabel: '',
  paymentMethod: 'SWIPED',
  cardholderVerificationMethod: 'SIGNATURE',
  primaryAccountNumber: '************4321',
  receiptLines: { MERCHANT: [{ value: 'SIGN BELOW', type: 'TEXT' }] },
}

export const PUSHES: Pick<Forms, 'notification' | 'signatureQuestion'> = {
  notification: {
    name: 'terminalNotification',
    summary: 'What the terminal shows',
    description:
      'Sent only on the connection that started the transaction. A till must pass over values that it does not know.',
    params: exactly({ tid: TID, notificationValue: oneOf(NOTIFICATIONS) }),
    result: null,
    example: { params: { tid: '22160001', notificationValue: 'PRESENT_CARD' } },
    words: MEANINGS,
    lower: params => params,
  },
  signatureQuestion: {
    name: 'signatureVerificationRequest',
    summary: 'Is this the signature on the card?',
    description:
      'Reply with the same id within `timeout` seconds. Without a reply the signature counts as accepted; a late one ' +
      'is passed over. How the transaction ends is told by its own result.',
    params: SIGNATURE_QUESTION,
    result: exactly({ accepted: Type.Boolean({ description: 'false: the terminal undoes the payment.' }) }),
    example: { params: EXAMPLE_QUESTION, result: { accepted: true } },
    lower: params => params,
  },
}
