// src/simulator/terminals/session-keys.ts — keys of a waiter, and their effects. Pure.

import { type TableSettings, tableSettingsOf } from '../../domain/accounts/terminal.ts'
import { type Money, money } from '../../domain/money.ts'
import { itemsOf, MOST_SHARES, splitByAmounts, splitByItems, splitEqually } from '../../domain/tables/split.ts'
import type { LockedTable } from '../../engine/ports/pay-at-table.ts'
import type { DeviceState, Paying, Running, Session, Setup } from './device.ts'
import type { ScreenKey, WaiterKey } from './screens.ts'
import {
  type Attended,
  altered,
  isAttended,
  leaving,
  nextShareOf,
  rulesOf,
  startSession,
  waiting,
  withRequest,
} from './session.ts'

/** Both currencies of the terminals (EUR, GBP) have two. */
const DECIMALS = 2

/** Largest gratuity that can be entered, in minor units: eight digits, as for an amount. */
const MOST_GRATUITY_MINOR = 99_999_999

/**
 * Waiter's keys that have an effect now.
 * @param settings of the terminal; null when they are not known, which leaves out the keys of a free terminal
 */
export function waiterKeysOf(state: DeviceState, settings: TableSettings | null): readonly ScreenKey['key'][] {
  const { session, running, report } = state
  if (session !== null && running !== null) return awaitsWaiter(running) && session.ask === null ? ['signature'] : []
  if (running !== null || report !== null) return []
  if (session === null) return settings === null || settings.mode === 'counter' ? [] : ['waiter', 'run_report']
  if (session.ask !== null) return []
  if (session.table === null) return session.names.length === 0 ? ['leave'] : ['choose_table', 'leave']
  if (session.paying !== null) return session.paying.gratuityMinor === null ? ['gratuity', 'leave'] : []
  return ['print_bill', ...payingKeysOf(session, session.table.openMinor), 'leave']
}

function payingKeysOf(session: Session, openMinor: number): readonly ScreenKey['key'][] {
  if (openMinor <= 0) return []
  const split = ['split_equally', 'split_amounts', 'split_items'] as const
  const pay = ['pay', 'pay_other'] as const
  switch (rulesOf(session).split) {
    case 'never':
      return pay
    case 'always':
      return session.shares.length === 0 ? split : pay
    case 'ask':
      return [...split, ...pay]
  }
}

/** Whether a key is a waiter's. */
export function isWaiterKey(key: ScreenKey): key is WaiterKey {
  return WAITER_KEYS.has(key.key)
}

const WAITER_KEYS: ReadonlySet<ScreenKey['key']> = new Set<WaiterKey['key']>([
  'waiter',
  'run_report',
  'choose_table',
  'print_bill',
  'split_equally',
  'split_amounts',
  'split_items',
  'pay',
  'pay_other',
  'signature',
  'leave',
])

/** Returns the state after a waiter's key that has an effect; the same object when its values make no sense. */
export function waiterPressed(state: DeviceState, key: WaiterKey, setup: Setup | null, at: number): DeviceState {
  if (key.key === 'waiter' || key.key === 'run_report') {
    if (setup === null) return state
    if (key.key === 'waiter') return startSession(state, { waiterId: key.waiterId, setup, script: null }, at)
    const attended = startSession(state, { waiterId: '', setup, script: null }, at)
    return isAttended(attended)
      ? withRequest(attended, { ask: 'report', reportId: '', reportType: key.reportType })
      : state
  }
  return isAttended(state) ? atTable(state, key, at) : state
}

function atTable(state: Attended, key: Exclude<WaiterKey, { key: 'waiter' | 'run_report' }>, at: number): DeviceState {
  const { session } = state
  const { table } = session
  switch (key.key) {
    case 'choose_table':
      return session.names.includes(key.table) ? withRequest(state, { ask: 'hold', table: key.table }) : state
    case 'leave':
      return session.paying === null ? leaving(state) : waiting(state, at, { paying: null, message: '' })
    case 'signature':
      return signed(state, key.accepted)
    case 'print_bill':
      return table === null ? state : withRequest(state, { ask: 'bill', tableId: table.tableId, which: 'before' })
    case 'split_equally':
      return split(state, key.shares < 2 ? null : equally(session, key.shares), at)
    case 'split_amounts':
      return split(state, table === null ? null : splitByAmounts(openOf(table), key.amountsMinor), at)
    case 'split_items': {
      const items = itemsOf(table?.bill ?? [], DECIMALS)
      const shared = items.map(({ amountMinor }, index) => ({ amountMinor, guests: key.items[index] ?? [] }))
      return split(state, table === null ? null : splitByItems(openOf(table), shared, key.guests), at)
    }
    case 'pay':
    case 'pay_other':
      return paid(state, key.key === 'pay' ? 'card' : 'other', key.amountMinor ?? null, at)
  }
}

function equally({ table }: Session, shares: number): readonly Money[] | null {
  if (table === null || !Number.isInteger(shares) || shares > MOST_SHARES) return null
  return splitEqually(openOf(table), shares)
}

function openOf({ openMinor, currency }: LockedTable): Money {
  return money(openMinor, currency)
}

/** At a table the waiter compares the signatures, not the till. */
export function awaitsWaiter({ request, waitsFor }: Running): boolean {
  return request.table !== undefined && waitsFor === 'signature'
}

/** Sends the waiter's decision on the signature. */
export function signed(state: Attended, accepted: boolean): DeviceState {
  const { running, session } = state
  if (running === null || session.table === null || session.signed === running.requestId) return state
  const { requestId } = running
  return withRequest(state, { ask: 'sign', tableId: session.table.tableId, requestId, accepted }, { signed: requestId })
}

/** Splits the bill. Shares of zero are dropped. */
function split(state: Attended, shares: readonly Money[] | null, at: number): DeviceState {
  if (shares === null) return state
  return waiting(state, at, { shares: shares.map(({ minor }) => minor).filter(minor => minor > 0), message: 'SPLIT' })
}

/** Starts the payment of a share: this amount, or the next share. A setting decides whether an amount may be chosen. */
function paid(state: Attended, how: Paying['how'], chosenMinor: number | null, at: number): DeviceState {
  const { session } = state
  const open = session.table?.openMinor ?? 0
  const amountMinor = chosenMinor ?? nextShareOf(session)
  if (!Number.isSafeInteger(amountMinor) || amountMinor < 1 || amountMinor > open) return state
  if (rulesOf(session).split === 'never' && amountMinor !== open) return state
  const asks = session.setup.settings.gratuity && how === 'card'
  const paying: Paying = { how, amountMinor, gratuityMinor: asks ? null : 0, paymentId: '', requestId: null }
  // A payment of another amount ends the split: the shares no longer add up to the open amount.
  const own = chosenMinor === null || chosenMinor === session.shares[0]
  const now = altered(state, { paying, ...(own ? {} : { shares: [] }) })
  return asks ? waiting(now, at, { message: 'ADD A GRATUITY' }) : toBePaid(now)
}

/** Adds the guest's gratuity. An invalid amount changes nothing. */
export function gratuityAgreed(state: Attended, gratuityMinor: number): DeviceState {
  const { paying } = state.session
  if (paying === null || !Number.isSafeInteger(gratuityMinor) || gratuityMinor < 0) return state
  if (gratuityMinor > MOST_GRATUITY_MINOR) return state
  return toBePaid(altered(state, { paying: { ...paying, gratuityMinor } }))
}

function toBePaid(state: Attended): DeviceState {
  const { paying, table } = state.session
  if (paying === null || table === null) return state
  const { paymentId, amountMinor, gratuityMinor } = paying
  const share = { tableId: table.tableId, paymentId, amountMinor, gratuityMinor: gratuityMinor ?? 0 }
  return withRequest(state, { ask: paying.how === 'card' ? 'pay' : 'pay_other', ...share })
}

/** The table settings in a setup; null without one. */
export function settingsIn(setup: Setup | null): TableSettings | null {
  return setup === null ? null : tableSettingsOf(setup.settings)
}
