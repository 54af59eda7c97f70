// src/domain/counter/user-messages.ts — table of all messages for cashiers. Texts marked "literal" are the published ones,
// letter by letter; the others are Tollgate's and may be reworded.

import type { TerminalId } from '../ids.ts'

/** Messages of a transaction. */
export const TRANSACTION_MESSAGES = {
  // literal
  signature_timed_out:
    'Signature check not actioned before timeout. When required, signatures must be verified within 80 seconds.',
  cashback_refused: 'Cashback is not available. The payment went on without it.',
  timed_out: 'No answer from {tid}. Check on the PDQ whether the payment was taken.',
  referred: 'The card issuer asks for a call. The payment was not taken.',
  no_pre_authorisation: 'No open pre-authorisation was found for this card and authorisation code.',
  pre_authorisation_differs: 'The amount does not fit the pre-authorisation that is held.',
  too_late: 'The payment was given up before it was approved. Nothing was charged.',
  forgotten: 'The terminal has forgotten this transaction. No payment was taken.',
  not_known_yet:
    'It is not known yet whether the payment was taken. Ask again in a while before you take it once more.',
  nothing_to_repeat: 'There is no earlier transaction on this terminal.',
} as const

export type TransactionMessage = keyof typeof TRANSACTION_MESSAGES

/** The `userMessage` of a transaction: its sentences in order, with the terminal's id filled in; empty when none. */
export function userMessageOf(messages: readonly TransactionMessage[], tid: TerminalId): string {
  return messages.map(message => TRANSACTION_MESSAGES[message].replace('{tid}', () => tid)).join(' ')
}

/** Messages of older API versions where the newest has none. */
export const OLDER_MESSAGES = {
  // literal
  signature_taken: 'Signature verification in progress.',
  report_not_ready: 'The report is not ready yet.',
  report_missing: 'The terminal gave no report.',
} as const
