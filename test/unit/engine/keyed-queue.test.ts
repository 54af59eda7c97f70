// test/unit/engine/keyed-queue.test.ts — tasks with the same key run in order.
import { deepEqual, equal, rejects } from 'node:assert/strict'
import { test } from 'vitest'
import { createKeyedQueue } from '../../../src/engine/keyed-queue.ts'

function open() {
  const latest = new Map<string, Promise<unknown>>()
  const queue = createKeyedQueue(latest)
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  const run = (key: string, name: string) =>
    queue.run(key, async () => {
      begun.push(name)
      await new Promise<void>(resolve => ends.set(name, resolve))
      return name
    })
  return { latest, queue, begun, run, end: (name: string) => ends.get(name)?.() }
}

test('tasks with the same key run in order, and other keys do not wait', async () => {
  const { begun, run, end } = open()
  const first = run('a', 'first')
  const second = run('a', 'second')
  const other = run('b', 'other')
  deepEqual(begun, ['first', 'other'])
  end('first')
  equal(await first, 'first')
  deepEqual(begun, ['first', 'other', 'second'])
  end('second')
  end('other')
  deepEqual(await Promise.all([second, other]), ['second', 'other'])
})

test('a task runs after a failed one', async () => {
  const { queue, run, end } = open()
  const failed = queue.run('a', () => Promise.reject(new Error('no')))
  const next = run('a', 'next')
  await rejects(failed, /no/)
  end('next')
  equal(await next, 'next')
})

test('a key is removed after its last task', async () => {
  const { latest, run, end } = open()
  const both = [run('a', 'first'), run('a', 'second')]
  end('first')
  await both[0]
  equal(latest.size, 1)
  end('second')
  await both[1]
  equal(latest.size, 0)
})
