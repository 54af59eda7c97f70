// src/terminals/simulated/screen.ts — what a person sees on a simulated terminal, and the cards in the drawer. Pure.
import { maskOf } from '../../domain/card.ts'
import { decimalOf } from '../../domain/money.ts'
import type { ScreenKey, ScreenView, TestCardView } from '../../engine/ports.ts'
import { TEST_CARDS, type TestCard } from '../../simulated-world/test-cards.ts'
import { INSERTS_BEFORE_SWIPE } from './card-reader.ts'
import type { DeviceState, Running } from './device.ts'
import { keysOf } from './keys.ts'

type Way = Extract<ScreenKey, { key: 'present_card' }>['how']

/** The view of a terminal. An unplugged one is dark. */
export function screenOf(state: DeviceState): ScreenView {
  return {
    connected: state.connected,
    lines: state.connected ? linesOf(state) : [],
    keys: keysOf(state),
    cardInSlot: state.running?.cardInSlot === true,
    paper: !state.paperOut,
    requestId: state.running?.requestId ?? state.report?.requestId ?? null,
  }
}

/** The cards a person may present. */
export function testCardViews(): readonly TestCardView[] {
  return TEST_CARDS.map(viewOf)
}

function linesOf({ running, report, last, paperOut }: DeviceState): readonly string[] {
  const paper = paperOut ? ['REPLACE PAPER'] : []
  if (report !== null) return [report.reportType.replaceAll('_', ' '), 'PLEASE WAIT', ...paper]
  if (running === null) return [...(last === null ? [] : [`LAST: ${last.ending.result}`]), 'READY', ...paper]
  const { request } = running
  return [
    request.transactionType.replaceAll('_', ' '),
    ...(request.amountMinor === 0 ? [] : [`${request.currency} ${decimalOf(request.amountMinor)}`]),
    messageOf(running),
    ...paper,
  ]
}

function messageOf(running: Running): string {
  if (running.waitsFor === 'gratuity') return 'ADD A GRATUITY'
  if (running.waitsFor === 'card' && running.request.cardholderNotPresent) return 'TYPE THE CARD NUMBER'
  if (running.waitsFor === 'card' && running.failedInserts >= INSERTS_BEFORE_SWIPE) return 'SWIPE CARD'
  return (running.showing ?? 'PLEASE_WAIT').replaceAll('_', ' ')
}

function viewOf(card: TestCard): TestCardView {
  const how: Way[] = ['keyed']
  if (card.stripe) how.unshift('swipe')
  if (card.chip !== 'none') how.unshift('insert')
  if (card.contactless) how.unshift('tap')
  return {
    card: card.token,
    name: card.name,
    scheme: card.cardSchemeName,
    maskedNumber: maskOf(card.number),
    how,
    pin: card.pin ?? '',
    answer: card.issuer,
  }
}
