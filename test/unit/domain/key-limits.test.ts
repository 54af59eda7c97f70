// test/unit/domain/key-limits.test.ts — the limits and the user of an API key, also in keys that older versions have stored.
import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'vitest'
import { type ApiKey, apply, decide, type KeyEvent } from '../../../src/domain/accounts/api-key.ts'
import { KEY_AREAS, plainLimits, reachesArea, reachesTerminal } from '../../../src/domain/accounts/key-limits.ts'

const FRESH = { id: 'k', merchantAccount: 'harbour', hash: 'h', label: 'till' } as const

function made(created: Omit<Extract<KeyEvent, { type: 'created' }>, 'type'>): ApiKey {
  const decision = decide(null, { type: 'create', ...created })
  if ('refused' in decision) throw new Error(decision.refused.code)
  const [event] = decision.events
  if (event === undefined) throw new Error('no event')
  return apply(null, { event, at: 7, version: 1 } as never)
}

test('a key without limits reaches everything', () => {
  for (const area of KEY_AREAS) equal(reachesArea({}, area), true)
  equal(reachesTerminal({}, '22160001'), true)
})

test('a limited key reaches what it names, and nothing else', () => {
  const limits = { areas: ['tables', 'counter'], terminals: ['22160001'] } as const
  deepEqual(
    KEY_AREAS.filter(area => reachesArea(limits, area)),
    ['counter', 'tables'],
  )
  equal(reachesTerminal(limits, '22160001'), true)
  equal(reachesTerminal(limits, '22160002'), false)
  equal(reachesTerminal(limits, ''), false)
  equal(reachesArea({ areas: [] }, 'counter'), false)
  equal(reachesTerminal({ terminals: [] }, '22160001'), false)
})

test('limits name each area and terminal once', () => {
  deepEqual(plainLimits({ areas: ['tables', 'counter', 'tables'], terminals: ['B', 'A', 'B'] }), {
    areas: ['counter', 'tables'],
    terminals: ['B', 'A'],
  })
  deepEqual(plainLimits({}), {})
})

test('a key keeps its user, its session and its limits', () => {
  const of = { user: 'ann', session: 's', limits: { areas: ['counter'] } } as const
  deepEqual(made({ ...FRESH, ...of }), { ...FRESH, ...of, status: 'active', version: 1, createdAt: 7 })
  equal(made({ ...FRESH, user: null }).user, null)
})

test('a key of a version before users has none of them', () => {
  deepEqual(made(FRESH), { ...FRESH, status: 'active', version: 1, createdAt: 7 })
})
