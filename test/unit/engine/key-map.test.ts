// test/unit/engine/key-map.test.ts — maps by record key behave like a map by a joined name.
import { deepEqual, equal } from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'vitest'
import { IdMap, KeyMap } from '../../../src/engine/key-map.ts'
import type { Key } from '../../../src/engine/ports/store.ts'

const KEYS = fc.record({
  account: fc.constantFrom('demo', 'other'),
  kind: fc.constantFrom('terminal', 'report'),
  id: fc.constantFrom('1', '2', '3', 'demo'),
})

const STEPS = fc.oneof(
  fc.record({ do: fc.constant('set' as const), key: KEYS, value: fc.integer() }),
  fc.record({ do: fc.constant('delete' as const), key: KEYS }),
)

const byNumber = (values: Iterable<number>): number[] => [...values].toSorted((one, other) => one - other)

for (const [name, fresh, KIND] of [
  ['a map of all kinds', () => new KeyMap<number>(), null],
  ['a map of one kind', () => new IdMap<number>(), 'terminal'],
] as const)
  test(`${name} holds what a map with joined names holds, whatever is done to it`, () => {
    fc.assert(
      fc.property(fc.array(STEPS, { maxLength: 60 }), steps => {
        const map = fresh()
        const model = new Map<string, { readonly key: Key; readonly value: number }>()
        for (const step of steps) {
          const key = { ...step.key, kind: KIND ?? step.key.kind }
          if (step.do === 'set') {
            map.set(key, step.value)
            model.set(JSON.stringify(key), { key, value: step.value })
          } else {
            map.delete(key)
            model.delete(JSON.stringify(key))
          }
          equal(map.size, model.size)
          equal(map.get(key), model.get(JSON.stringify(key))?.value)
        }
        const values = [...model.values()]
        const held = ({ value }: { readonly value: number }) => value
        deepEqual(byNumber(map.values()), byNumber(values.map(held)))
        const own = values.filter(({ key }) => key.account === 'demo')
        deepEqual(byNumber(map.valuesOf('demo')), byNumber(own.map(held)))
      }),
    )
  })

test('deleteAccount removes all entries of an account', () => {
  const map = new IdMap<number>()
  map.set({ account: 'demo', id: '1' }, 1)
  map.set({ account: 'demo', id: '2' }, 2)
  map.set({ account: 'other', id: '1' }, 3)
  map.deleteAccount('demo')
  map.deleteAccount('nobody')
  deepEqual([...map.values()], [3])
  equal(map.size, 1)
})
