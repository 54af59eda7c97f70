// src/engine/key-map.ts — a map from records. Account and kind are the same few strings again and again, so to look them
// up one after the other costs less than to join them with the id and hash all that anew.
import type { Key } from './ports.ts'

export class KeyMap<Value> {
  readonly #accounts = new Map<string, Map<string, Map<string, Value>>>()
  #size = 0

  get size(): number {
    return this.#size
  }

  get({ account, kind, id }: Key): Value | undefined {
    return this.#accounts.get(account)?.get(kind)?.get(id)
  }

  set({ account, kind, id }: Key, value: Value): void {
    const kinds = this.#accounts.get(account) ?? new Map<string, Map<string, Value>>()
    const ids = kinds.get(kind) ?? new Map<string, Value>()
    const before = ids.size
    ids.set(id, value)
    if (ids.size === before) return
    this.#size += 1
    if (before > 0) return
    kinds.set(kind, ids)
    this.#accounts.set(account, kinds)
  }

  delete({ account, kind, id }: Key): void {
    if (this.#accounts.get(account)?.get(kind)?.delete(id) === true) this.#size -= 1
  }

  deleteAccount(account: string): void {
    for (const ids of this.#accounts.get(account)?.values() ?? []) this.#size -= ids.size
    this.#accounts.delete(account)
  }

  *values(): IterableIterator<Value> {
    for (const kinds of this.#accounts.values()) for (const ids of kinds.values()) yield* ids.values()
  }

  /** What belongs to an account. */
  *valuesOf(account: string): IterableIterator<Value> {
    for (const ids of this.#accounts.get(account)?.values() ?? []) yield* ids.values()
  }
}
