// src/acquirers/iso8583/orders/reading-answers.ts — what the answer of a host says of an order, or of its reversal. Pure.
import type { Dialect } from '../dialect.ts'
import type { Message, UnpackedMessage } from '../message-codec.ts'
import { meaningOfCode, REVERSAL_CODES } from '../response-codes.ts'
import { declined, type FinalAnswer, type OrderKind, UNDONE } from './journal.ts'

/** `doubtful`: money may have moved, so it is reversed, and counts as `instead` once that is done. */
export type Reading =
  | { readonly reading: 'final'; readonly answer: FinalAnswer }
  | { readonly reading: 'doubtful'; readonly why: string; readonly instead: FinalAnswer }

const AUTH_CODE = /^[0-9A-Z]{1,20}$/

/** Whether another answer follows. */
export function isInterim({ codes }: Dialect, answer: UnpackedMessage): boolean {
  return meaningOfCode(codes, codeOf(answer)).answer === 'wait'
}

/** Whether the host has accepted a message that moves no money by itself. */
export function isApproval({ codes }: Dialect, answer: UnpackedMessage): boolean {
  return meaningOfCode(codes, codeOf(answer)).answer === 'approved'
}

/** @param sent the request as it is unpacked, so that filled fields can be compared */
export function readAnswer(dialect: Dialect, kind: OrderKind, sent: Message, answer: UnpackedMessage): Reading {
  const code = codeOf(answer)
  const meaning = meaningOfCode(dialect.codes, code)
  const doubtful = (why: string, instead = UNDONE): Reading => ({ reading: 'doubtful', why, instead })
  if (code === '') return doubtful('the answer has no code')
  const { echo } = dialect.document.identity
  const other = echo.find(
    number => answer.fields[number] !== undefined && answer.fields[number] !== sent.fields[number],
  )
  if (other !== undefined && meaning.answer !== 'partial') return doubtful(`field ${other} is not what was sent`)
  switch (meaning.answer) {
    case 'declined':
      return { reading: 'final', answer: declined(meaning.reason, code) }
    case 'approved_for_verify':
      return kind === 'verify'
        ? approval(answer, kind, sent)
        : { reading: 'final', answer: declined('do_not_honour', code) }
    case 'partial':
      return doubtful('approved for less', declined('insufficient_funds', code))
    case 'ambiguous':
    case 'wait':
      return doubtful(`code ${code}`)
    case 'approved': {
      const missing = echo.find(number => sent.fields[number] !== undefined && answer.fields[number] === undefined)
      if (missing !== undefined) return doubtful(`field ${missing} is missing`)
      return approval(answer, kind, sent)
    }
  }
}

function approval(answer: UnpackedMessage, kind: OrderKind, sent: Message): Reading {
  const given = textOf(answer, 38) || (kind === 'capture' ? String(sent.fields[38] ?? '').trim() : '')
  // Hosts give none for refunds and verifications. Of money that is taken one is needed, and none is made up.
  if (!AUTH_CODE.test(given) && (kind === 'charge' || kind === 'hold'))
    return { reading: 'doubtful', why: 'approved without an authorisation code', instead: UNDONE }
  const reference = textOf(answer, 37) || String(sent.fields[37] ?? '').trim()
  return { reading: 'final', answer: { answer: 'approved', authCode: given, reference } }
}

/** What the answer to a reversal means. A code of no list is asked again: it is not known to be a refusal. */
export type ReversalReading = 'done' | 'notFound' | 'retry' | 'refused'

export function readReversal({ document }: Dialect, answer: UnpackedMessage): ReversalReading {
  const code = codeOf(answer)
  const lists = document.codes.reversal ?? REVERSAL_CODES[document.standard]
  if (lists.done.includes(code) || lists.alreadyDone.includes(code)) return 'done'
  if (lists.notFound.includes(code)) return 'notFound'
  return lists.refused.includes(code) ? 'refused' : 'retry'
}

export function codeOf(answer: UnpackedMessage): string {
  return textOf(answer, 39)
}

function textOf({ fields }: UnpackedMessage, number: number): string {
  const value = fields[number]
  return typeof value === 'string' ? value.trim() : ''
}
