// test/unit/engine/feed.test.ts — listeners of changes.
import { deepEqual, throws } from 'node:assert/strict'
import { test } from 'vitest'
import { createFeed } from '../../../src/engine/feed.ts'

test('a listener that throws does not stop the others, and its error is rethrown', () => {
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
  throws(() => feed.publish({ ...key, version: 1, record: null, events: [], own: true }), /the first fault/)
  deepEqual(heard, ['follower', 'r1'])
})
