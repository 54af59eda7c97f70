// test/unit/engine/feed.test.ts — who hears of a change.
import { deepEqual, throws } from 'node:assert/strict'
import { test } from 'vitest'
import { createFeed } from '../../../src/engine/feed.ts'

test('a listener with a fault keeps nobody else from hearing, and its fault is not hidden', () => {
  const feed = createFeed()
  const heard: string[] = []
  const key = { account: 'demo', kind: 'terminal-transaction', id: 'r1' }
  feed.follow(key, () => {
    throw new Error('the first fault')
  })
  feed.follow(key, () => heard.push('follower'))
  feed.followAll(() => {
    throw new Error('the second fault')
  })
  feed.followAll(({ id }) => heard.push(id))
  throws(() => feed.publish({ ...key, version: 1, record: null, events: [] }), /the first fault/)
  deepEqual(heard, ['follower', 'r1'])
})
