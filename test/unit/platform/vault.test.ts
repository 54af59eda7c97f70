// test/unit/platform/vault.test.ts — the vault: encryption, ownership, key rotation and deletion.
import { deepEqual, equal, notEqual, ok, rejects, throws } from 'node:assert/strict'
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished, test } from 'vitest'
import { type Card, CardNumber } from '../../../src/domain/card-number.ts'
import type { Commit, Store } from '../../../src/engine/ports/store.ts'
import { systemRandom } from '../../../src/platform/random.ts'
import {
  addKey,
  ensureKeyFile,
  fixedRing,
  type KeyRing,
  removeKeys,
  ringInFile,
} from '../../../src/platform/vault/key-ring.ts'
import { entriesByKey, rewrapAll } from '../../../src/platform/vault/rotation.ts'
import { openVault } from '../../../src/platform/vault/vault.ts'
import { openMemoryStore } from '../../../src/store/sqlite/memory-store.ts'
import { openSqliteStore } from '../../../src/store/sqlite/store.ts'
import { TestClock } from '../../support/test-clock.ts'

const random = systemRandom()
const NUMBER = '4456530000001096'
const CARD: Card = {
  number: new CardNumber(NUMBER, 'VISA'),
  expiry: { month: 12, year: 2030 },
  holder: 'John Watson',
}
const key = () => random.bytes(32)

function parts(store: Store, ring: KeyRing, clock = new TestClock()) {
  return { store, ring, random, clock }
}

function emptyDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'tollgate-vault-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}

test('a card is read back as it was stored, and the store holds none of it in clear', async () => {
  const bodies: string[] = []
  const memory = openMemoryStore()
  const store: Store = {
    ...memory,
    commit: (commit: Commit) => {
      bodies.push(JSON.stringify(commit))
      return memory.commit(commit)
    },
  }
  const vault = await openVault(parts(store, fixedRing([key()])))
  const reference = await vault.storeCard('demo', CARD, 'payment')
  const opened = await vault.openCard('demo', reference)
  deepEqual(
    [opened?.number.reveal(), opened?.number.scheme, opened?.expiry, opened?.holder],
    [NUMBER, 'VISA', CARD.expiry, 'John Watson'],
  )
  const written = bodies.join()
  ok(!written.includes(NUMBER) && !written.includes('Watson') && !written.includes(NUMBER.slice(0, 6)))
  ok(bodies.length > 0)
  ok(bodies.every(body => body.includes('"events":[]')))
})

test('two entries of the same card share only their look-up value', async () => {
  const store = openMemoryStore()
  const vault = await openVault(parts(store, fixedRing([key()])))
  const [one, other] = [await vault.storeCard('demo', CARD, 'payment'), await vault.storeCard('demo', CARD, 'payment')]
  notEqual(one, other)
  const [first, second] = (await store.list('demo', { kind: 'vault-card', limit: 9 })).map(
    ({ body }) => JSON.parse(body) as Record<string, string>,
  )
  notEqual(first?.['text'], second?.['text'])
  notEqual(first?.['dataKey'], second?.['dataKey'])
  equal(await vault.lookupOf('demo', CARD.number), await vault.lookupOf('demo', new CardNumber(NUMBER, 'VISA')))
  notEqual(await vault.lookupOf('demo', CARD.number), await vault.lookupOf('demo-eur', CARD.number))
  const other56 = new CardNumber('5200000000000056', 'MASTERCARD')
  notEqual(await vault.lookupOf('demo', CARD.number), await vault.lookupOf('demo', other56))
})

test('a tag depends on its purpose and its text, and is the same on every node', async () => {
  const store = openMemoryStore()
  const ring = fixedRing([key()])
  const vault = await openVault(parts(store, ring))
  const tag = await vault.tagOf('passkey-challenge', 'text')
  equal(await (await openVault(parts(store, ring))).tagOf('passkey-challenge', 'text'), tag)
  notEqual(await vault.tagOf('passkey-user', 'text'), tag)
  notEqual(await vault.tagOf('passkey-challenge', 'texts'), tag)
  const elsewhere = await openVault(parts(openMemoryStore(), fixedRing([key()])))
  notEqual(await elsewhere.tagOf('passkey-challenge', 'text'), tag)
})

test('an entry opens only with its account, reference and purpose', async () => {
  const store = openMemoryStore()
  const vault = await openVault(parts(store, fixedRing([key()])))
  const reference = await vault.storeCard('demo', CARD, 'payment')
  equal(await vault.openCard('demo-eur', reference), null)
  equal(await vault.openCard('demo', `${reference}x`), null)
  equal(await vault.openText('demo', 'webhook-secret', reference), null)
  const text = await vault.storeText('demo', 'access-token', 'q7Jt0s3V', 'payment')
  equal(await vault.openText('demo', 'access-token', text), 'q7Jt0s3V')
  equal(await vault.openText('demo', 'webhook-secret', text), null)
})

test('an entry that was moved to another account or changed by a byte does not open', async () => {
  const store = openMemoryStore()
  const vault = await openVault(parts(store, fixedRing([key()])))
  const reference = await vault.storeCard('demo', CARD, 'payment')
  const stored = await store.load({ account: 'demo', kind: 'vault-card', id: reference })
  const envelope = JSON.parse(stored?.body ?? '') as Record<string, string>
  const plant = (account: string, id: string, body: object) =>
    store.commit({
      ...{ account, kind: 'vault-card', id, expectedVersion: 0, version: 1, body: JSON.stringify(body) },
      ...{ parent: '', live: true, lockKey: null, at: 0, events: [], effects: [], effectsDone: [], timers: null },
      idempotency: null,
    })
  await plant('thief', reference, envelope)
  await rejects(vault.openCard('thief', reference), { code: 'vault_key_wrong' })
  await plant('demo', 'card_other', envelope)
  await rejects(vault.openCard('demo', 'card_other'), { code: 'vault_key_wrong' })
  for (const field of ['text', 'dataKey']) {
    const bytes = Buffer.from(envelope[field]!, 'base64')
    for (const place of [0, 13, bytes.length - 1]) {
      const changed = Buffer.from(bytes)
      changed[place] = (changed[place] ?? 0) ^ 1
      const id = `card_${field}${place}`
      await plant('demo', id, { ...envelope, [field]: changed.toString('base64') })
      await rejects(vault.openCard('demo', id), { code: 'vault_key_wrong' })
    }
  }
  await plant('demo', 'card_short', { ...envelope, text: '' })
  await rejects(vault.openCard('demo', 'card_short'), { code: 'vault_key_wrong' })
})

test('a forgotten entry is deleted; forgetting again or an unknown reference does nothing', async () => {
  const store = openMemoryStore()
  const vault = await openVault(parts(store, fixedRing([key()])))
  const reference = await vault.storeCard('demo', CARD, 'payment')
  await vault.forget('demo-eur', reference)
  ok((await vault.openCard('demo', reference)) !== null)
  await vault.forget('demo', reference)
  await vault.forget('demo', reference)
  await vault.forget('demo', 'nothing')
  equal(await vault.openCard('demo', reference), null)
  equal(await store.load({ account: 'demo', kind: 'vault-card', id: reference }), null)
})

test('a vault with entries does not open with other keys', async () => {
  const store = openMemoryStore()
  await openVault(parts(store, fixedRing([key()])))
  const vault = await openVault(parts(store, fixedRing([key()])))
  await vault.storeCard('demo', CARD, 'payment')
  await rejects(openVault(parts(store, fixedRing([key()]))), { code: 'vault_key_wrong' })
})

test('an interrupted rotation is finished by the next one, and every card opens in between', async () => {
  const memory = openMemoryStore()
  const [old, fresh] = [key(), key()]
  const before = await openVault(parts(memory, fixedRing([old])))
  const references: string[] = []
  for (let count = 0; count < 12; count += 1) references.push(await before.storeCard('demo', CARD, 'payment'))
  const secret = await before.storeText('demo', 'webhook-secret', 'whsec', 'demo')
  const lookup = await before.lookupOf('demo', CARD.number)
  const ring = fixedRing([fresh, old])
  for (let lives = 5; ; lives += 5) {
    let commits = 0
    const mortal: Store = {
      ...memory,
      commit: async commit => {
        commits += 1
        if (commits > lives) throw new Error('killed')
        return memory.commit(commit)
      },
    }
    const finished = await rewrapAll(parts(mortal, ring)).then(
      () => true,
      () => false,
    )
    const vault = await openVault(parts(memory, ring))
    for (const reference of references) equal((await vault.openCard('demo', reference))?.number.reveal(), NUMBER)
    if (finished) break
  }
  deepEqual([...(await entriesByKey(memory))], [[ring.current.version, 14]])
  const after = await openVault(parts(memory, fixedRing([fresh])))
  equal((await after.openCard('demo', references[3]!))?.number.reveal(), NUMBER)
  equal(await after.openText('demo', 'webhook-secret', secret), 'whsec')
  equal(await after.lookupOf('demo', CARD.number), lookup)
})

test('a rotation keeps entries that are added meanwhile and does not restore deleted ones', async () => {
  const memory = openMemoryStore()
  const [old, fresh] = [key(), key()]
  const ring = fixedRing([fresh, old])
  const before = await openVault(parts(memory, fixedRing([old])))
  const [kept, dropped] = [
    await before.storeCard('demo', CARD, 'payment'),
    await before.storeCard('demo', CARD, 'payment'),
  ]
  const vault = await openVault(parts(memory, ring))
  let meddled = false
  const store: Store = {
    ...memory,
    commit: async commit => {
      if (commit.id === dropped && !meddled) {
        meddled = true
        await vault.forget('demo', dropped)
        await before.storeCard('demo', CARD, 'payment')
      }
      return memory.commit(commit)
    },
  }
  await rewrapAll(parts(store, ring))
  equal(await vault.openCard('demo', dropped), null)
  equal((await vault.openCard('demo', kept))?.number.reveal(), NUMBER)
  deepEqual([...(await entriesByKey(memory)).keys()], [ring.current.version])
})

test('the key file is created once, readable by its owner only, and a running gateway reads new keys', async () => {
  const file = join(emptyDirectory(), 'vault.key')
  ensureKeyFile(file, random)
  const first = readFileSync(file, 'utf8')
  ensureKeyFile(file, random)
  equal(readFileSync(file, 'utf8'), first)
  equal(statSync(file).mode & 0o777, 0o600)
  const clock = new TestClock()
  const ring = ringInFile(file, clock)
  const old = ring.current.version
  const fresh = addKey(file, random)
  equal(ring.current.version, old)
  equal(ring.of(fresh)?.version, fresh)
  equal(ring.current.version, fresh)
  equal(ring.of('unknown'), null)
  removeKeys(file, new Set([old, fresh]), random)
  await clock.advance(1_000)
  deepEqual(ring.versions, [fresh])
  equal(statSync(file).mode & 0o777, 0o600)
})

test('adding a key preserves the mode of the key file, and a malformed file is refused', () => {
  const file = join(emptyDirectory(), 'vault.key')
  ensureKeyFile(file, random)
  chmodSync(file, 0o640)
  addKey(file, random)
  equal(statSync(file).mode & 0o777, 0o640)
  equal(readdirSync(dirname(file)).length, 1)
  writeFileSync(file, 'not a key\n')
  throws(() => addKey(file, random), { code: 'vault_key_missing' })
  throws(() => ringInFile(file, new TestClock()), { code: 'vault_key_missing' })
  throws(() => addKey(join(file, 'nowhere'), random), { code: 'vault_key_missing' })
})

test('the files of a store hold no card number after storing, re-wrapping and forgetting', async () => {
  const directory = emptyDirectory()
  const store = await openSqliteStore({ directory })
  const ring = fixedRing([key()])
  const vault = await openVault(parts(store, ring))
  const references = await Promise.all(Array.from({ length: 20 }, () => vault.storeCard('demo', CARD, 'payment')))
  await rewrapAll(parts(store, fixedRing([key(), ring.current.key])))
  await vault.forget('demo', references[0]!)
  for (const name of ['tollgate.db', 'tollgate.db-wal']) {
    const bytes = readFileSync(join(directory, name)).toString('latin1')
    ok(!bytes.includes(NUMBER) && !bytes.includes('Watson'), name)
  }
  await store.close()
})

test('an entry keeps its owner and times through a rotation; an entry without them still opens', async () => {
  const store = openMemoryStore()
  const clock = new TestClock()
  const [old, fresh] = [key(), key()]
  const before = await openVault(parts(store, fixedRing([old]), clock))
  const reference = await before.storeCard('demo', CARD, 'payment')
  const keptAt = clock.now()
  await clock.advance(3_600_000)
  await before.openCard('demo', reference)
  const [kept] = await before.entries('card', 0, 9)
  deepEqual([kept?.owner, kept?.keptAt, kept?.usedAt, kept?.version], ['payment', keptAt, keptAt, 1])
  await clock.advance(86_400_000)
  await before.openCard('demo', reference)
  const usedAt = clock.now()
  await rewrapAll(parts(store, fixedRing([fresh, old]), clock))
  const after = await openVault(parts(store, fixedRing([fresh]), clock))
  const [rotated] = await after.entries('card', 0, 9)
  deepEqual([rotated?.owner, rotated?.keptAt, rotated?.usedAt], ['payment', keptAt, usedAt])
  // An entry as written before owners were recorded.
  const stored = await store.load({ account: 'demo', kind: 'vault-card', id: reference })
  const { owner, keptAt: _, usedAt: __, ...bare } = JSON.parse(stored?.body ?? '') as Record<string, unknown>
  equal(owner, 'payment')
  await store.commit({
    ...{ account: 'demo', kind: 'vault-card', id: reference, expectedVersion: stored?.version ?? 0, version: 99 },
    ...{ body: JSON.stringify(bare), parent: '', live: true, lockKey: null, at: 0, events: [], effects: [] },
    ...{ effectsDone: [], timers: null, idempotency: null },
  })
  const [nobodys] = await after.entries('card', 0, 9)
  deepEqual([nobodys?.owner, nobodys?.keptAt], [null, null])
  equal((await after.openCard('demo', reference))?.number.reveal(), NUMBER)
})
