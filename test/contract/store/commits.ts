// test/contract/store/commits.ts — a record is written only at the version that was decided on.
import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'vitest'
import type { Store } from '../../../src/engine/ports/store.ts'
import { change, keyOf } from '../../support/changes.ts'

export function exerciseCommits(make: () => Promise<Store>): void {
  test('a record that was never written is null', async () => {
    const store = await make()
    equal(await store.load(keyOf('sale')), null)
  })

  test('a written record is read back unchanged', async () => {
    const store = await make()
    equal(await store.commit(change('sale', { body: '{"amount":2599}' })), 'written')
    deepEqual(await store.load(keyOf('sale')), { ...keyOf('sale'), version: 1, body: '{"amount":2599}' })
  })

  test('a commit may carry a record over several versions', async () => {
    const store = await make()
    await store.commit(change('sale', { version: 3 }))
    equal(await store.commit(change('sale', { expectedVersion: 3, version: 7 })), 'written')
    equal((await store.load(keyOf('sale')))?.version, 7)
  })

  test('an existing record is not created again', async () => {
    const store = await make()
    await store.commit(change('sale', { body: '"first"' }))
    equal(await store.commit(change('sale', { body: '"second"' })), 'version_moved')
    equal((await store.load(keyOf('sale')))?.body, '"first"')
  })

  test('a change decided on another version is refused, older or newer', async () => {
    const store = await make()
    await store.commit(change('sale'))
    await store.commit(change('sale', { expectedVersion: 1 }))
    equal(await store.commit(change('sale', { expectedVersion: 1 })), 'version_moved')
    equal(await store.commit(change('sale', { expectedVersion: 3 })), 'version_moved')
    equal((await store.load(keyOf('sale')))?.version, 2)
  })

  test('a change of a missing record is refused', async () => {
    const store = await make()
    equal(await store.commit(change('sale', { expectedVersion: 1 })), 'version_moved')
    equal(await store.load(keyOf('sale')), null)
  })

  test('the same id in another account or of another kind is another record', async () => {
    const store = await make()
    await store.commit(change('sale', { body: '"mine"' }))
    equal(await store.commit(change('sale', { account: 'other', body: '"theirs"' })), 'written')
    equal(await store.commit(change('sale', { kind: 'report', body: '"report"' })), 'written')
    equal((await store.load(keyOf('sale')))?.body, '"mine"')
    equal((await store.load(keyOf('sale', 'other')))?.body, '"theirs"')
    equal((await store.load(keyOf('sale', 'shop', 'report')))?.body, '"report"')
    equal(await store.load(keyOf('sale', 'nobody')), null)
  })

  test('names and bodies keep every character', async () => {
    const store = await make()
    const id = 'table "7" – Łódź 🍕 e\u0301'
    const body = JSON.stringify({ text: `'; DROP TABLE records; -- \\ \n\t\u0000 漢字 🏧` })
    await store.commit(change(id, { account: 'café', parent: 'salle à manger', body }))
    deepEqual(await store.load(keyOf(id, 'café')), { ...keyOf(id, 'café'), version: 1, body })
    equal(await store.load(keyOf(id.normalize('NFC'), 'café')), null)
    const list = await store.list('café', { kind: 'transaction', parent: 'salle à manger', limit: 1 })
    equal(list[0]?.body, body)
  })

  test('a large body is read back complete', async () => {
    const store = await make()
    const body = JSON.stringify({ receipt: '🧾'.repeat(1_000_000) })
    await store.commit(change('sale', { body }))
    equal((await store.load(keyOf('sale')))?.body === body, true)
  })

  test('times and versions beyond 32 bits are kept', async () => {
    const store = await make()
    const version = 2 ** 40
    await store.commit(change('sale', { version, at: 2 ** 45, timers: [{ name: 'far', dueAt: 2 ** 50 }] }))
    equal((await store.load(keyOf('sale')))?.version, version)
    equal(await store.nextTimerAt(), 2 ** 50)
  })
}
