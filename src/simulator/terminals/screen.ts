// src/simulator/terminals/screen.ts — renders the screen of a simulated terminal, and lists its test cards. Pure.

import { type TerminalSettings, tableSettingsOf } from '../../domain/accounts/terminal.ts'
import { maskOf } from '../../domain/card.ts'
import { decimalOf } from '../../domain/money.ts'
import { itemsOf } from '../../domain/tables/split.ts'
import { TEST_CARDS, type TestCard } from '../cards/test-cards.ts'
import { totalDue } from './amounts-due.ts'
import { INSERTS_BEFORE_SWIPE } from './card-reader.ts'
import type { DeviceState, LastTransaction, Running, Session } from './device.ts'
import { keysOf } from './keys.ts'
import type { ScreenKey, ScreenView, TestCardView, WaiterView } from './screens.ts'

type Way = Extract<ScreenKey, { key: 'present_card' }>['how']

/** The screen of a terminal. Blank when it is unplugged. */
export function screenOf(state: DeviceState, settings: TerminalSettings): ScreenView {
  return {
    connected: state.connected,
    lines: state.connected ? linesOf(state) : [],
    keys: keysOf(state, tableSettingsOf(settings)),
    cardInSlot: state.running?.cardInSlot === true,
    paper: !state.paperOut,
    requestId: state.running?.requestId ?? state.report?.requestId ?? null,
    waiter: state.session === null ? null : waiterViewOf(state.session),
    ...(state.scriptStopped === undefined ? {} : { scriptStopped: state.scriptStopped }),
  }
}

/** The test cards that a person can present. */
export function testCardViews(): readonly TestCardView[] {
  return TEST_CARDS.map(viewOf)
}

function linesOf({ running, report, last, paperOut, session, scriptStopped }: DeviceState): readonly string[] {
  const paper = paperOut ? ['REPLACE PAPER'] : []
  if (report !== null) return [report.reportType.replaceAll('_', ' '), 'PLEASE WAIT', ...paper]
  if (running === null && session !== null) return [...sessionLines(session), ...paper]
  if (running === null) {
    const past = last === null ? [] : lastLines(last)
    return [...past, ...(scriptStopped === undefined ? [] : [scriptStopped]), 'READY', ...paper]
  }
  const { request } = running
  const due = totalDue(running)
  return [
    request.transactionType.replaceAll('_', ' '),
    ...(due === 0 ? [] : [`${request.currency} ${decimalOf(due)}`]),
    messageOf(running),
    ...paper,
  ]
}

function lastLines({ ending: { result, messages } }: LastTransaction): readonly string[] {
  return [`LAST: ${result}`, ...(messages.includes('too_late') ? TOO_LATE : [])]
}

/** What the terminal says when its approval was given up while it waited. */
const TOO_LATE: readonly string[] = ['TOO LATE', 'NOTHING WAS CHARGED']

function messageOf(running: Running): string {
  if (running.messages.includes('too_late')) return TOO_LATE.join(', ')
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

/** Both currencies of the terminals (EUR, GBP) have two. */
const DECIMALS = 2

function waiterViewOf({ waiterId, names, table, shares, printed, message }: Session): WaiterView {
  return {
    ...{ waiterId, shares, printed, message },
    tables: names,
    table: table?.name ?? null,
    openMinor: table?.openMinor ?? 0,
    items: itemsOf(table?.bill ?? [], DECIMALS),
  }
}

function sessionLines({ ask, table, names, shares, message, paying }: Session): readonly string[] {
  const wait = ask === null ? [message] : ['PLEASE WAIT']
  if (table === null) return ['PAY AT TABLE', ...(ask === null ? names : []), ...wait]
  const [share] = shares
  return [
    `TABLE ${table.name}`,
    `TO PAY ${table.currency} ${decimalOf(table.openMinor)}`,
    ...(share === undefined ? [] : [`SHARE ${table.currency} ${decimalOf(share)} OF ${shares.length}`]),
    ...(paying === null ? [] : [`${table.currency} ${decimalOf(paying.amountMinor + (paying.gratuityMinor ?? 0))}`]),
    ...wait.filter(line => line !== ''),
  ]
}
