// test/unit/last-told.test.ts — what a terminal has said is not said again once something is on its way there, also when it
// has not arrived.
import { equal } from 'node:assert/strict'
import { test } from 'vitest'
import type { Terminal } from '../../src/domain/terminal.ts'
import type { TerminalTransaction } from '../../src/domain/terminal-transaction.ts'
import { createRecordCache } from '../../src/engine/cache.ts'
import { createFeed } from '../../src/engine/feed.ts'
import { createLastTold } from '../../src/engine/last-told.ts'
import { TERMINAL } from '../../src/engine/machines.ts'
import { type Fleet, type Heard, LIVE } from '../../src/engine/terminals.ts'

const ACCOUNT = 'demo'
const TID = '22160001'
const TERMINAL_THERE = { tid: TID, merchantAccount: ACCOUNT, settings: { printing: false } } as Terminal
const DUPLICATE = { tid: TID, repeated: {} } as TerminalTransaction
const SALE: Heard['live'] = { kind: 'transaction', transaction: {} as TerminalTransaction }

function opened() {
  const cache = createRecordCache(100, () => 0)
  const mark = {}
  const fleet = { presence: () => ({ paperOut: false, lastMark: mark }) } as unknown as Fleet
  const lastTold = createLastTold({ fleet, feed: createFeed(), cache })
  let lesson = 0
  const hear = (live: Heard['live']): void => {
    lesson += 1
    cache.put({ account: ACCOUNT, kind: LIVE, id: TID }, { live }, lesson, null)
  }
  cache.put({ account: ACCOUNT, kind: TERMINAL.kind, id: TID }, TERMINAL_THERE, 1, null)
  return { cache, lastTold, hear, again: () => lastTold.again(ACCOUNT, TID) }
}

test('what was said is said again while nothing runs', () => {
  const { lastTold, hear, again } = opened()
  const note = lastTold.asking(TERMINAL_THERE)
  hear(null)
  equal(again(), null)
  note(DUPLICATE)
  equal(again(), DUPLICATE)
})

test('a sale that begins in the commit in which the answer comes keeps the answer from being noted', () => {
  const { lastTold, hear, again } = opened()
  const note = lastTold.asking(TERMINAL_THERE)
  hear(null)
  hear(SALE)
  note(DUPLICATE)
  hear(null)
  equal(again(), null)
})

test('it is not said while something is on its way to the terminal, or when nobody knows', () => {
  const { cache, lastTold, hear, again } = opened()
  const note = lastTold.asking(TERMINAL_THERE)
  hear(null)
  note(DUPLICATE)
  hear(SALE)
  equal(again(), null)
  cache.drop({ account: ACCOUNT, kind: LIVE, id: TID })
  equal(again(), null)
})

test('it is not said of a terminal that is another one by now', () => {
  const { cache, lastTold, hear, again } = opened()
  const note = lastTold.asking(TERMINAL_THERE)
  hear(null)
  note(DUPLICATE)
  cache.put({ account: ACCOUNT, kind: TERMINAL.kind, id: TID }, { ...TERMINAL_THERE }, 2, null)
  equal(again(), null)
})
