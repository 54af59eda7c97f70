// test/unit/last-told.test.ts — what a terminal has said is not said again once something is on its way there, also when it
// has not arrived.
import { equal } from 'node:assert/strict'
import { test } from 'vitest'
import type { Terminal } from '../../src/domain/terminal.ts'
import type { TerminalTransaction } from '../../src/domain/terminal-transaction.ts'
import { createRecordCache } from '../../src/engine/cache.ts'
import { createFeed } from '../../src/engine/feed.ts'
import { createLastTold } from '../../src/engine/last-told.ts'
import { REPORT, TERMINAL, TERMINAL_TRANSACTION } from '../../src/engine/machines.ts'
import { type Fleet, type Heard, LIVE } from '../../src/engine/terminals.ts'

const ACCOUNT = 'demo'
const TID = '22160001'
const TERMINAL_THERE = { tid: TID, merchantAccount: ACCOUNT, settings: { printing: false } } as Terminal
const DUPLICATE = transaction('DUPLICATE', 'finished')
const SALE = transaction('SALE', 'requested')

function transaction(transactionType: string, progress: string): TerminalTransaction {
  return { tid: TID, repeated: {}, progress, request: { transactionType } } as unknown as TerminalTransaction
}

function opened() {
  let outside = 0
  const cache = createRecordCache(100, () => outside)
  const feed = createFeed()
  const mark = { holds: true }
  const fleet = { presence: () => ({ paperOut: false, lastMark: mark }) } as unknown as Fleet
  const lastTold = createLastTold({ fleet, feed, cache, outsideChanges: () => outside })
  let lesson = 0
  const hear = (live: Heard['live']): void => {
    lesson += 1
    cache.put({ account: ACCOUNT, kind: LIVE, id: TID }, { live }, lesson, null)
  }
  cache.put({ account: ACCOUNT, kind: TERMINAL.kind, id: TID }, TERMINAL_THERE, 1, null)
  hear(null)
  return {
    ...{ cache, lastTold, hear, mark },
    again: () => lastTold.again(ACCOUNT, TID)?.duplicate ?? null,
    happens: (kind: string, record: object) =>
      feed.publish({ account: ACCOUNT, kind, id: TID, record, version: 1 } as Parameters<typeof feed.publish>[0]),
    changeOutside: () => {
      outside += 1
    },
  }
}

/** The terminal has been asked and has answered. */
function told() {
  const all = opened()
  all.lastTold.asking(TERMINAL_THERE)(DUPLICATE)
  equal(all.again(), DUPLICATE)
  return all
}

test('what was said is said again while nothing runs', () => {
  const { lastTold, again } = opened()
  const note = lastTold.asking(TERMINAL_THERE)
  equal(again(), null)
  note(DUPLICATE)
  equal(again(), DUPLICATE)
})

test('a sale that begins in the commit in which the answer comes keeps the answer from being noted', () => {
  const { lastTold, hear, again } = opened()
  const note = lastTold.asking(TERMINAL_THERE)
  hear({ kind: 'transaction', transaction: SALE })
  note(DUPLICATE)
  hear(null)
  equal(again(), null)
})

test('it is not noted when nobody knows what runs there, or whether the terminal is still the same', () => {
  for (const kind of [LIVE, TERMINAL.kind]) {
    const { cache, lastTold, again } = opened()
    const note = lastTold.asking(TERMINAL_THERE)
    cache.drop({ account: ACCOUNT, kind, id: TID })
    note(DUPLICATE)
    equal(again(), null, kind)
  }
})

test('a payment, another question, a report, or other settings, and it is never said again', () => {
  const changes = [
    [TERMINAL_TRANSACTION.kind, SALE],
    [TERMINAL_TRANSACTION.kind, transaction('DUPLICATE', 'running')],
    [REPORT.kind, { tid: TID }],
    [TERMINAL.kind, { ...TERMINAL_THERE }],
  ] as const
  for (const [kind, record] of changes) {
    const { happens, again } = told()
    happens(kind, record)
    equal(again(), null, kind)
  }
})

test('it is not said while the driver knows better, nor noted when he did at the beginning or does at the end', () => {
  const { mark, lastTold, again } = told()
  mark.holds = false
  equal(again(), null)
  const late = lastTold.asking(TERMINAL_THERE)
  mark.holds = true
  equal(again(), DUPLICATE)
  const other = transaction('DUPLICATE', 'finished')
  late(other)
  equal(again(), DUPLICATE)
  const note = lastTold.asking(TERMINAL_THERE)
  mark.holds = false
  note(other)
  mark.holds = true
  equal(again(), DUPLICATE)
})

test('what another program has changed meanwhile makes it old', () => {
  const { changeOutside, again } = told()
  changeOutside()
  equal(again(), null)
  const { lastTold, changeOutside: change, again: anew } = opened()
  const note = lastTold.asking(TERMINAL_THERE)
  change()
  note(DUPLICATE)
  equal(anew(), null)
})
