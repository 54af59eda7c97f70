// test/unit/engine/trace-context.test.ts — W3C Trace Context of callers, and the place in a trace that effects carry.
import { deepEqual, equal } from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'vitest'
import type { StoredEffect } from '../../../src/engine/ports/store.ts'
import { carriedBy, traceparentIn, withTraceparent } from '../../../src/engine/trace-context.ts'

const HERE = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'

const effectWith = (body: string): StoredEffect => ({
  ...{ account: 'demo', kind: 'terminal-transaction', id: 'r1', effectId: 'r1.1.0', type: 'terminal.start', body },
})

test('a later version is read as version 00, without what follows', () => {
  equal(traceparentIn(`cc${HERE.slice(2)}-what-the-future-brings`), HERE)
  equal(traceparentIn(HERE), HERE)
})

test('anything else is ignored', () => {
  for (const header of [undefined, '', [HERE], `${HERE}-`, `${HERE} `, HERE.slice(1), `cc${HERE.slice(2)}x`])
    equal(traceparentIn(header), null)
})

test('an effect carries its place, and its body is afterwards as it was', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), payload => {
      const body = JSON.stringify(payload)
      const carried = withTraceparent(body, HERE)
      // A performer of an older version ignores the member.
      deepEqual({ ...JSON.parse(carried), traceparent: 0 }, { ...JSON.parse(body), traceparent: 0 })
      deepEqual(carriedBy(effectWith(carried)), { effect: effectWith(body), parent: HERE })
    }),
  )
})

test('an effect of an older version carries none', () => {
  const effect = effectWith('{"type":"terminal.start"}')
  deepEqual(carriedBy(effect), { effect, parent: null })
})
