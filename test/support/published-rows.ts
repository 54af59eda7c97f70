// test/support/published-rows.ts — the published scenarios of a counter transaction, row by row: scenario, notifications in
// order, result.

import type { TerminalSettings } from '../../src/domain/accounts/terminal.ts'
import type { TransactionRequest } from '../../src/domain/counter/transaction-events.ts'
import type { ScenarioName } from '../../src/simulator/scenarios/built-in.ts'
import type { SimulatedShop } from './simulated-shop.ts'

const FULL: Readonly<Record<string, string>> = {
  START: 'TRANSACTION_STARTED',
  PRESENT: 'PRESENT_CARD',
  WAIT: 'PLEASE_WAIT',
  LINK: 'CONNECTING CONNECTION_MADE',
  END: 'TRANSACTION_FINISHED',
  SIG: 'SIGNATURE_VERIFICATION',
  SIG_IN: 'SIGNATURE_VERIFICATION_IN_PROGRESS',
  SIG_OK: 'SIGNATURE_VERIFICATION_PROCESS_COMPLETED',
  SIG_FAIL: 'SIGNATURE_VERIFICATION_PROCESS_COULD_NOT_BE_COMPLETED',
  SIG_TO: 'SIGNATURE_VERIFICATION_TIMEOUT',
}

type Act = (shop: SimulatedShop, requestId: string) => Promise<void>

export interface Row {
  readonly name: string
  readonly play: ScenarioName
  readonly request?: Partial<TransactionRequest>
  readonly settings?: Partial<TerminalSettings>
  /** Actions during the transaction. */
  readonly act?: Act
  /** Notifications in short form, in order. */
  readonly order: string
  readonly result: string
  readonly read: string
}

const sign =
  (accepted: boolean): Act =>
  ({ gateway }, requestId) =>
    gateway.execute(requestId, { type: 'decide_signature', accepted })
const signTimeout: Act = ({ gateway }, requestId) =>
  gateway.execute(requestId, { type: 'time_is_up', timer: 'signature' })
const limit: Act = ({ gateway }, requestId) => gateway.execute(requestId, { type: 'time_is_up', timer: 'limit' })
const cancel: Act = ({ gateway }, requestId) => gateway.execute(requestId, { type: 'cancel' })
const wait =
  (ms: number): Act =>
  ({ clock }) =>
    clock.advance(ms)

export const CHIP_PIN = 'START PRESENT WAIT PIN_ENTRY LINK APPROVED END'
const SIGNED = 'START PRESENT WAIT LINK SIG'

export const ROWS: readonly Row[] = [
  { name: '1', play: 'chip_pin_approved', order: CHIP_PIN, result: 'SUCCESSFUL', read: 'ICC_CHIP/PIN' },
  {
    name: '2',
    play: 'contactless_approved',
    order: 'START PRESENT WAIT LINK APPROVED END',
    result: 'SUCCESSFUL',
    read: 'CONTACTLESS/NONE',
  },
  {
    name: '3',
    play: 'device_approved',
    order: 'START PRESENT WAIT LINK APPROVED END',
    result: 'SUCCESSFUL',
    read: 'CONTACTLESS/DEVICE',
  },
  {
    name: '4, chip',
    play: 'chip_signature',
    act: sign(true),
    order: `${SIGNED} SIG_IN SIG_OK APPROVED END`,
    result: 'SUCCESSFUL',
    read: 'ICC_CHIP/SIGNATURE',
  },
  {
    name: '4, stripe',
    play: 'swipe_signature',
    act: sign(true),
    order: `${SIGNED} SIG_IN SIG_OK APPROVED END`,
    result: 'SUCCESSFUL',
    read: 'SWIPED/SIGNATURE',
  },
  {
    name: '5',
    play: 'chip_signature',
    act: sign(false),
    order: `${SIGNED} SIG_IN SIG_OK LINK END`,
    result: 'VOID',
    read: 'ICC_CHIP/SIGNATURE',
  },
  {
    name: '6',
    play: 'chip_signature',
    act: signTimeout,
    order: `${SIGNED} SIG_TO APPROVED END`,
    result: 'SUCCESSFUL',
    read: 'ICC_CHIP/SIGNATURE',
  },
  {
    name: '7',
    play: 'signature_decision_too_late',
    act: signTimeout,
    order: `${SIGNED} SIG_TO SIG_FAIL APPROVED END`,
    result: 'SUCCESSFUL',
    read: 'ICC_CHIP/SIGNATURE',
  },
  {
    name: '8',
    play: 'chip_pin_declined',
    order: 'START PRESENT WAIT PIN_ENTRY LINK DECLINED END',
    result: 'DECLINED',
    read: 'ICC_CHIP/PIN',
  },
  {
    name: '9',
    play: 'declined_by_card',
    order: 'START PRESENT WAIT PIN_ENTRY DECLINED_BY_CARD END',
    result: 'DECLINED',
    read: 'ICC_CHIP/PIN',
  },
  {
    name: '10',
    play: 'nobody_presents_card',
    act: cancel,
    order: 'START PRESENT ATTEMPTING_CANCEL CANCELLING CANCELLED_TRANSACTION END',
    result: 'CANCELLED',
    read: 'UNKNOWN/UNKNOWN',
  },
  {
    name: '12, at the signature stage',
    play: 'chip_signature',
    act: async (shop, requestId) => {
      await cancel(shop, requestId)
      await sign(true)(shop, requestId)
    },
    order: `${SIGNED} ATTEMPTING_CANCEL UNABLE_TO_CANCEL UNABLE_TO_CANCEL_TRANSACTION SIG SIG_IN SIG_OK APPROVED END`,
    result: 'SUCCESSFUL',
    read: 'ICC_CHIP/SIGNATURE',
  },
  { name: '13', play: 'cancelled_at_card', order: 'START PRESENT END', result: 'CANCELLED', read: 'UNKNOWN/UNKNOWN' },
  {
    name: '13, after the PIN',
    play: 'cancelled_at_pin',
    order: 'START PRESENT WAIT PIN_ENTRY END',
    result: 'CANCELLED',
    read: 'ICC_CHIP/PIN',
  },
  {
    name: '14',
    play: 'nobody_presents_card',
    act: wait(60_000),
    order: 'START PRESENT END',
    result: 'CANCELLED',
    read: 'UNKNOWN/UNKNOWN',
  },
  {
    name: '15, silent',
    play: 'silent_after_pin',
    act: limit,
    order: 'START PRESENT WAIT PIN_ENTRY END',
    result: 'TIMED_OUT',
    read: 'ICC_CHIP/PIN',
  },
  {
    name: '15, card left in',
    play: 'card_left_in',
    act: limit,
    order: 'START PRESENT WAIT PIN_ENTRY LINK APPROVED REMOVE_CARD END',
    result: 'TIMED_OUT',
    read: 'ICC_CHIP/PIN',
  },
  {
    name: '16',
    play: 'card_pulled_out',
    order: 'START PRESENT WAIT CARD_ERROR END',
    result: 'UNSUCCESSFUL',
    read: 'ICC_CHIP/NONE',
  },
  {
    name: '17',
    play: 'technical_failure',
    order: 'START PRESENT WAIT PIN_ENTRY CONNECTING RETRYING PROCESSING_ERROR END',
    result: 'UNSUCCESSFUL',
    read: 'ICC_CHIP/PIN',
  },
  {
    name: '18',
    play: 'chip_pin_approved',
    request: { cardholderNotPresent: true },
    order: 'START WAIT LINK APPROVED END',
    result: 'SUCCESSFUL',
    read: 'KEYED/NONE',
  },
  {
    name: '19',
    play: 'keyed',
    order: 'START PRESENT WAIT LINK APPROVED END',
    result: 'SUCCESSFUL',
    read: 'KEYED/NONE',
  },
  {
    name: '20, chip',
    play: 'chip_pin_approved',
    request: { transactionType: 'REFUND' },
    order: 'START PRESENT WAIT REMOVE_CARD LINK APPROVED END',
    result: 'SUCCESSFUL',
    read: 'ICC_CHIP/NONE',
  },
  {
    name: '20, chip with signature',
    play: 'chip_signature',
    request: { transactionType: 'REFUND' },
    act: sign(true),
    order: 'START PRESENT WAIT REMOVE_CARD LINK SIG SIG_IN SIG_OK APPROVED END',
    result: 'SUCCESSFUL',
    read: 'ICC_CHIP/SIGNATURE',
  },
  {
    name: '20, contactless',
    play: 'contactless_approved',
    request: { transactionType: 'REFUND' },
    order: 'START PRESENT WAIT LINK APPROVED END',
    result: 'SUCCESSFUL',
    read: 'CONTACTLESS/NONE',
  },
  {
    name: '21',
    play: 'chip_pin_approved',
    request: { transactionType: 'PRE_AUTH' },
    order: CHIP_PIN,
    result: 'SUCCESSFUL',
    read: 'ICC_CHIP/PIN',
  },
  {
    name: '23',
    play: 'chip_pin_approved',
    request: { transactionType: 'ACCOUNT_VERIFICATION', amountMinor: 0 },
    order: CHIP_PIN,
    result: 'SUCCESSFUL',
    read: 'ICC_CHIP/PIN',
  },
  {
    name: '25',
    play: 'chip_pin_approved',
    request: { transactionType: 'DUPLICATE', amountMinor: 0 },
    order: 'START END',
    result: 'UNSUCCESSFUL',
    read: 'UNKNOWN/UNKNOWN',
  },
  {
    name: '28',
    play: 'chip_pin_approved',
    settings: { gratuity: true },
    order: CHIP_PIN,
    result: 'SUCCESSFUL',
    read: 'ICC_CHIP/PIN',
  },
  {
    name: '29, bad swipe',
    play: 'bad_swipe',
    act: sign(true),
    order: 'START PRESENT BAD_SWIPE PRESENT WAIT LINK SIG SIG_IN SIG_OK APPROVED END',
    result: 'SUCCESSFUL',
    read: 'SWIPED/SIGNATURE',
  },
  {
    name: '29, tap again',
    play: 'present_again',
    order: 'START PRESENT RE_PRESENT_CARD PRESENT WAIT LINK APPROVED END',
    result: 'SUCCESSFUL',
    read: 'CONTACTLESS/NONE',
  },
  {
    name: '29, two cards',
    play: 'two_cards',
    order: 'START PRESENT PRESENT_ONLY_ONE_CARD PRESENT WAIT LINK APPROVED END',
    result: 'SUCCESSFUL',
    read: 'CONTACTLESS/NONE',
  },
  {
    name: '29, use the chip',
    play: 'insert_instead',
    order: 'START PRESENT INSERT_CARD PRESENT WAIT PIN_ENTRY LINK APPROVED END',
    result: 'SUCCESSFUL',
    read: 'ICC_CHIP/PIN',
  },
  {
    name: '30, expired',
    play: 'card_expired',
    order: 'START PRESENT WAIT CARD_EXPIRED END',
    result: 'UNSUCCESSFUL',
    read: 'ICC_CHIP/NONE',
  },
  {
    name: '30, not supported',
    play: 'card_not_supported',
    order: 'START PRESENT WAIT CARD_NOT_SUPPORTED END',
    result: 'UNSUCCESSFUL',
    read: 'ICC_CHIP/NONE',
  },
  {
    name: '31, first',
    play: 'paper_out_at_start',
    order: `REPLACE_PAPER ${CHIP_PIN}`,
    result: 'SUCCESSFUL',
    read: 'ICC_CHIP/PIN',
  },
  {
    name: '31, at printing',
    play: 'paper_runs_out',
    order: 'START PRESENT WAIT PIN_ENTRY LINK REPLACE_PAPER APPROVED END',
    result: 'SUCCESSFUL',
    read: 'ICC_CHIP/PIN',
  },
  {
    name: 'cashback prompt, in no row',
    play: 'cashback_prompted',
    order: 'START ENTER_CASHBACK PRESENT WAIT PIN_ENTRY LINK APPROVED END',
    result: 'SUCCESSFUL',
    read: 'ICC_CHIP/PIN',
  },
  {
    name: 'removal prompt as an option, in no row',
    play: 'removal_prompted',
    order: 'START PRESENT WAIT PIN_ENTRY LINK APPROVED REMOVE_CARD END',
    result: 'SUCCESSFUL',
    read: 'ICC_CHIP/PIN',
  },
  {
    name: 'voided by the terminal, in no row',
    play: 'voided',
    order: 'START PRESENT WAIT PIN_ENTRY LINK LINK END',
    result: 'VOID',
    read: 'ICC_CHIP/PIN',
  },
]

/** Expands the short forms. */
export const long = (order: string) => order.replace(/\w+/g, word => FULL[word] ?? word)
