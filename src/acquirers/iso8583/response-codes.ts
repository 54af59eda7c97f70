// src/acquirers/iso8583/response-codes.ts — what the response codes of field 39 mean, where a dialect says nothing else.
import { DECLINE_REASONS, type DeclineReason } from '../../domain/counter/transaction-events.ts'
import type { Standard } from './base-fields.ts'
import type { DialectDocument } from './dialect-schema.ts'

/**
 * `partial` approves less than was requested. `wait` is followed by another answer. `ambiguous` leaves open whether money
 * has moved. `approved_for_verify` approves the verification of a card and declines everything else.
 */
export type CodeMeaning =
  | { readonly answer: 'approved' | 'approved_for_verify' | 'partial' | 'wait' | 'ambiguous' }
  | { readonly answer: 'declined'; readonly reason: DeclineReason }

/** Any other code declines: an answer is never taken for an approval without being known as one. */
const OTHER_CODES: CodeMeaning = { answer: 'declined', reason: 'do_not_honour' }

type CodeLists = Pick<
  DialectDocument['codes'],
  'approved' | 'approvedForVerify' | 'partial' | 'wait' | 'ambiguous' | 'declined'
>

const CODES_1987: CodeLists = {
  approved: ['00', '11', '16'],
  approvedForVerify: ['85'],
  partial: ['10', '32'],
  wait: ['09'],
  ambiguous: ['68', '94'],
  declined: {
    refer_to_issuer: ['01', '02', '08', '60', '66'],
    lost_or_stolen: ['04', '07', '41', '43', '67'],
    expired_card: ['33', '54'],
    card_not_supported: ['12', '14', '15', '39', '40', '42', '44', '52', '53', '56', '57', '92'],
    incorrect_pin: ['38', '55', '70', '75', '86'],
    insufficient_funds: ['51', '61'],
    pre_authorisation_differs: ['64'],
    security_code_differs: ['82', 'N7'],
    authentication_required: ['1A'],
  },
}

const CODES_1993: CodeLists = {
  approved: ['000', ...['003', '004', '005', '006', '007']],
  partial: ['002'],
  wait: ['923'],
  ambiguous: ['911', '913', ...['916', '917', '918', '919']],
  declined: {
    refer_to_issuer: ['001', '103', '105', '107', '108'],
    expired_card: ['101', '125', '201'],
    lost_or_stolen: ['200', '203', '204', '206', '207', '208', '209'],
    incorrect_pin: ['106', '112', '117'],
    card_not_supported: ['111', '114', '115', '118', '119', '902', '905', '908'],
    insufficient_funds: ['116', '121'],
  },
}

const BASE: Readonly<Record<Standard, CodeLists>> = { '1987': CODES_1987, '1993': CODES_1993 }

/** Codes of answers to reversals. */
export const REVERSAL_CODES: Readonly<Record<Standard, NonNullable<DialectDocument['codes']['reversal']>>> = {
  '1987': {
    ...{ done: ['00'], alreadyDone: ['94'], notFound: ['25'], retry: ['91', '96'] },
    refused: ['12', '30', '40', '58'],
  },
  '1993': {
    ...{ done: ['000', '400'], alreadyDone: ['480'], notFound: ['914'], retry: ['907', '909', '910', '911', '912'] },
    refused: ['902', '904'],
  },
}

/** Meanings of all known codes: those of the document over those of the standard. */
export function codeMeanings(standard: Standard, lists: CodeLists): ReadonlyMap<string, CodeMeaning> {
  return new Map([...entriesOf(BASE[standard]), ...entriesOf(lists)])
}

/** What a code means, also one that no list has. */
export function meaningOfCode(meanings: ReadonlyMap<string, CodeMeaning>, code: string): CodeMeaning {
  return meanings.get(code) ?? OTHER_CODES
}

/** The meaning in words: `declined: insufficient_funds`. */
export function meaningText(meaning: CodeMeaning): string {
  return meaning.answer === 'declined' ? `declined: ${meaning.reason}` : meaning.answer.replaceAll('_', ' ')
}

/** Each code of the lists with the member that it is in. */
export function codesByMember(lists: CodeLists): readonly (readonly [member: string, code: string])[] {
  const { approved = [], approvedForVerify = [], partial = [], wait = [], ambiguous = [], declined = {} } = lists
  return [
    ...Object.entries({ approved, approvedForVerify, partial, wait, ambiguous }),
    ...DECLINE_REASONS.map(reason => [`declined.${reason}`, declined[reason] ?? []] as const),
  ].flatMap(([member, codes]) => codes.map(code => [member, code] as const))
}

function entriesOf(lists: CodeLists): readonly (readonly [code: string, meaning: CodeMeaning])[] {
  return codesByMember(lists).map(([member, code]) => [code, meaningIn(member)])
}

function meaningIn(member: string): CodeMeaning {
  switch (member) {
    case 'approved':
    case 'partial':
    case 'wait':
    case 'ambiguous':
      return { answer: member }
    case 'approvedForVerify':
      return { answer: 'approved_for_verify' }
    default: {
      const reason = DECLINE_REASONS.find(each => member === `declined.${each}`)
      if (reason === undefined) throw new Error(`${member} is no list of codes`)
      return { answer: 'declined', reason }
    }
  }
}
