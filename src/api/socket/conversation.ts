// src/api/socket/conversation.ts — sends the notifications and the signature request of a transaction to its till.
import type { Notification } from '../../domain/counter/notifications.ts'
import type { TerminalTransaction } from '../../domain/counter/transaction.ts'
import type { Caller, SignatureRequest, TillConnection } from './method.ts'
import { idsOf, signatureRequestOf } from './transaction-result.ts'

export interface Conversation {
  /** Sends what a change of the record adds. Call it after each change. True when the transaction has finished. */
  look(record: TerminalTransaction): boolean
  /** Ends the conversation and withdraws an open signature request. */
  end(): void
}

/** @param answered called with the till's decision about the signature */
export function createConversation(
  connection: TillConnection,
  caller: Pick<Caller, 'wantsIds'>,
  answered: (accepted: boolean) => void,
): Conversation {
  let sent = 0
  let signature: SignatureRequest | null = null
  let isSignatureRequested = false

  function push(record: TerminalTransaction, notificationValue: Notification): void {
    connection.notify({ tid: record.tid, notificationValue, ...idsOf(record, caller) })
  }

  function look(record: TerminalTransaction): boolean {
    for (const notification of record.notifications.slice(sent)) {
      // Tills open their signature dialogue on this notification, so it was sent with the request.
      if (notification === 'SIGNATURE_VERIFICATION_IN_PROGRESS' && isSignatureRequested) continue
      push(record, notification)
      // After a late cancel the terminal shows this again. The open request stays valid.
      if (notification !== 'SIGNATURE_VERIFICATION' || isSignatureRequested || record.progress !== 'awaiting_signature')
        continue
      isSignatureRequested = true
      // The request comes before the notification, so that an immediate answer finds it open.
      signature = connection.askForSignature({ ...signatureRequestOf(record), ...idsOf(record, caller) }, answered)
      push(record, 'SIGNATURE_VERIFICATION_IN_PROGRESS')
    }
    sent = record.notifications.length
    if (record.progress !== 'awaiting_signature') signature?.withdraw()
    return record.progress === 'finished'
  }

  return { look, end: () => signature?.withdraw() }
}
