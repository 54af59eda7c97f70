// src/api/socket/pushes.ts — the messages pushed to tills, in the newest version.
import { Type } from 'typebox'
import { NOTIFICATIONS } from '../../domain/counter/notifications.ts'
import { oneOf } from '../schemas.ts'
import type { VersionSchemas } from '../versions/socket-schemas.ts'
import { exactly, SIGNATURE_QUESTION, TID } from './shapes.ts'

/** Meaning of each notification for the cashier. */
const MEANINGS = Object.fromEntries(Object.entries(NOTIFICATIONS).map(([name, { meaning }]) => [name, meaning]))

const EXAMPLE_REQUEST = {
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

export const PUSHES: Pick<VersionSchemas, 'notification' | 'signatureRequest'> = {
  notification: {
    name: 'terminalNotification',
    summary: 'What the terminal shows',
    description: 'Sent only on the connection that started the transaction. A till must ignore unknown values.',
    params: exactly({ tid: TID, notificationValue: oneOf(Object.keys(NOTIFICATIONS)) }),
    result: null,
    example: { params: { tid: '22160001', notificationValue: 'PRESENT_CARD' } },
    words: MEANINGS,
    downgrade: params => params,
  },
  signatureRequest: {
    name: 'signatureVerificationRequest',
    summary: 'Ask for a signature check',
    description:
      'Reply with the same id within `timeout` seconds. Without a reply the signature counts as accepted; a late reply is ' +
      'ignored. The result of the transaction has the outcome.',
    params: SIGNATURE_QUESTION,
    result: exactly({ accepted: Type.Boolean({ description: 'False: the terminal reverses the payment.' }) }),
    example: { params: EXAMPLE_REQUEST, result: { accepted: true } },
    downgrade: params => params,
  },
}
