// src/engine/key-map.ts — maps keyed by record. Nested maps by kind, account and id are cheaper than hashing a joined
// string each time, because kinds and accounts are few.
import type { MerchantAccountId } from '../domain/ids.ts'
import type { Key } from './ports/store.ts'

/** A map keyed by records of one kind. */
export class IdMap<Value> {
  readonly #accounts = new Map<string, Map<string, Value>>()
  #size = 0

  get size(): number {
    return this.#size
  }

  get({ account, id }: RecordKey): Value | undefined {
    return this.#accounts.get(account)?.get(id)
  }

  set({ account, id }: RecordKey, value: Value): void {
    const found = this.#accounts.get(account)
    const ids = found ?? new Map<string, Value>()
    const before = ids.size
    ids.set(id, value)
    if (ids.size > before) this.#size += 1
    if (found === undefined) this.#accounts.set(account, ids)
  }

  delete({ account, id }: RecordKey): void {
    const ids = this.#size === 0 ? undefined : this.#accounts.get(account)
    if (ids?.delete(id) !== true) return
    this.#size -= 1
    // Sandboxes create and delete accounts.
    if (ids.size === 0) this.#accounts.delete(account)
  }

  deleteAccount(account: MerchantAccountId): void {
    this.#size -= this.#accounts.get(account)?.size ?? 0
    this.#accounts.delete(account)
  }

  *values(): IterableIterator<Value> {
    for (const ids of this.#accounts.values()) yield* ids.values()
  }

  /** Values of one account. */
  *valuesOf(account: MerchantAccountId): IterableIterator<Value> {
    yield* this.#accounts.get(account)?.values() ?? []
  }
}

type RecordKey = Pick<Key, 'account' | 'id'>

/** A map keyed by records of all kinds. */
export class KeyMap<Value> {
  readonly #kinds = new Map<string, IdMap<Value>>()

  get size(): number {
    return [...this.#kinds.values()].reduce((sum, ids) => sum + ids.size, 0)
  }

  get(key: Key): Value | undefined {
    return this.#kinds.get(key.kind)?.get(key)
  }

  set(key: Key, value: Value): void {
    const found = this.#kinds.get(key.kind)
    const ids = found ?? new IdMap<Value>()
    ids.set(key, value)
    if (found === undefined) this.#kinds.set(key.kind, ids)
  }

  delete(key: Key): void {
    this.#kinds.get(key.kind)?.delete(key)
  }

  *values(): IterableIterator<Value> {
    for (const ids of this.#kinds.values()) yield* ids.values()
  }

  /** Values of one account. */
  *valuesOf(account: MerchantAccountId): IterableIterator<Value> {
    for (const ids of this.#kinds.values()) yield* ids.valuesOf(account)
  }
}
