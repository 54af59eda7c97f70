// test/unit/key-map.test.ts — a map from records behaves as a map from their names would.
import { deepEqual, equal } from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'vitest'
import { KeyMap } from '../../src/engine/key-map.ts'
import type { Key } from '../../src/engine/ports.ts'

const KEYS = fc.record({
  account: fc.constantFrom('demo', 'other'),
  kind: fc.constantFrom('terminal', 'report'),
  id: fc.constantFrom('1', '2', '3', 'demo'),
})

const STEPS = fc.oneof(
  fc.record({ do: fc.constant('set' as const), key: KEYS, value: fc.integer() }),
  fc.record({ do: fc.constant('delete' as const), key: KEYS }),
  fc.record({ do: fc.constant('deleteAccount' as const), key: KEYS }),
)

test('whatever is done to it, it holds what a map with joined names holds', () => {
  fc.assert(
    fc.property(fc.array(STEPS, { maxLength: 60 }), steps => {
      const map = new KeyMap<number>()
      const model = new Map<string, { readonly key: Key; readonly value: number }>()
      for (const step of steps) {
        const name = JSON.stringify(step.key)
        if (step.do === 'set') {
          map.set(step.key, step.value)
          model.set(name, { key: step.key, value: step.value })
        } else if (step.do === 'delete') {
          map.delete(step.key)
          model.delete(name)
        } else {
          map.deleteAccount(step.key.account)
          for (const [other, { key }] of model) if (key.account === step.key.account) model.delete(other)
        }
        equal(map.size, model.size)
        equal(map.get(step.key), model.get(name)?.value)
      }
      const values = [...model.values()]
      deepEqual([...map.values()].toSorted(), values.map(({ value }) => value).toSorted())
      deepEqual(
        [...map.valuesOf('demo')].toSorted(),
        values
          .filter(({ key }) => key.account === 'demo')
          .map(({ value }) => value)
          .toSorted(),
      )
    }),
  )
})
