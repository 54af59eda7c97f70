// src/api/socket/conversation.ts — a transaction as the till that started it hears it: what the terminal shows, as it shows
// it, and the question about a signature. Terminal socket reference 5.7, 5.8 and 5.10.
import type { Notification } from '../../domain/counter/notifications.ts'
import type { TerminalTransaction } from '../../domain/counter/transaction.ts'
import type { Line, SignatureQuestion } from './method.ts'
import { signatureQuestionOf } from './payment.ts'

export interface Conversation {
  /** Takes the record after each change; true: that was the end. */
  look(record: TerminalTransaction): boolean
  /** There is nothing more to hear. What the till was asked is not open any more. */
  end(): void
}

/** Tells a till of one transaction. */
export function createConversation(line: Line, answered: (accepted: boolean) => void): Conversation {
  let told = 0
  let question: SignatureQuestion | null = null
  let asked = false

  function tell({ tid }: TerminalTransaction, notificationValue: Notification): void {
    line.notify({ tid, notificationValue })
  }

  function look(record: TerminalTransaction): boolean {
    for (const notification of record.notifications.slice(told)) {
      // Tills open their signature dialogue on this one, so it has been said with the question.
      if (notification === 'SIGNATURE_VERIFICATION_IN_PROGRESS' && asked) continue
      tell(record, notification)
      // A cancel that comes too late lets the terminal show this again; the question is still the same.
      if (notification !== 'SIGNATURE_VERIFICATION' || asked || record.progress !== 'awaiting_signature') continue
      asked = true
      // The question comes first, so that an answer given at once finds it open.
      question = line.askForSignature(signatureQuestionOf(record), answered)
      tell(record, 'SIGNATURE_VERIFICATION_IN_PROGRESS')
    }
    told = record.notifications.length
    if (record.progress !== 'awaiting_signature') question?.withdraw()
    return record.progress === 'finished'
  }

  return { look, end: () => question?.withdraw() }
}
