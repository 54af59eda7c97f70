// src/simulator/memory/shared-memory.ts — the simulator's memory in a database that several nodes share. The node that has the
// lane of an account is the only one that writes its documents; the others read copies of some. ADR 71.
import { Fault } from '../../engine/fault.ts'
import type { Documents } from '../../engine/ports/documents.ts'
import type { Lease } from '../../engine/ports/store.ts'
import { laneOf, type WorkLeases } from '../../engine/work-leases.ts'
import { createCopiedDocuments } from './copied-documents.ts'
import { createGroupedWriting } from './grouped-writing.ts'
import { HeldDocuments } from './held-documents.ts'
import type { Collection, MemoryDocument, NodesOfMemory, SimulatedMemory } from './memory.ts'

/** A lane whose documents are here, or on their way. */
interface HeldLane {
  readonly lease: Lease
  loaded: boolean
  loading: Promise<void>
}

export interface SharedMemoryParts {
  readonly documents: Documents
  /** Number of lanes of the store. */
  readonly lanes: number
  /** The clock of the gateway, epoch milliseconds. */
  readonly now: () => number
}

export interface SharedMemory extends SimulatedMemory {
  readonly nodes: NodesOfMemory
}

type Leases = Pick<WorkLeases, 'isOurs' | 'of' | 'leaseOf' | 'refused'>

/** Creates the memory. It has nothing before a lane is gained. */
export function createSharedMemory({ documents: store, lanes: count, now }: SharedMemoryParts): SharedMemory {
  const held = new HeldDocuments()
  const lanes = new Map<number, HeldLane>()
  const listeners: ((account: string) => void)[] = []
  let leases: Leases | null = null
  let epoch = 0
  const read = (account: string) => {
    epoch += 1
    for (const listener of listeners) listener(account)
  }
  const holds = (account: string) => {
    const lane = lanes.get(laneOf(account, count))
    return lane?.loaded === true && leases?.leaseOf(lane.lease.lane)?.fence === lane.lease.fence
  }
  const find = (collection: Collection, key: string) => {
    const found = held.get(collection, key)
    return found !== undefined && holds(found.parent) ? found : copied.get(collection, key)
  }
  const copied = createCopiedDocuments(store, holds, read)
  const writing = createGroupedWriting(write)

  /** Writes what has changed. What the database refuses belongs to another node by now, and is dropped. */
  async function write(): Promise<void> {
    const changes = held.unwritten()
    const used = new Set(changes.map(({ account }) => laneOf(account, count)))
    const under = [...used].flatMap(lane => lanes.get(lane)?.lease ?? [])
    if (under.length === 0) return
    const over = await store.write(changes, under)
    const ended = new Set(over.map(({ lane }) => lane))
    held.written(changes.filter(({ account }) => !ended.has(laneOf(account, count))))
    for (const lease of over) {
      drop(lease)
      leases?.refused(lease)
    }
    const [first] = over
    if (first !== undefined) throw new Fault('lease_lost', { detail: `lane ${first.lane}` })
  }

  function drop(lease: Lease): void {
    if (lanes.get(lease.lane)?.lease.fence !== lease.fence) return
    lanes.delete(lease.lane)
    held.drop(account => laneOf(account, count) === lease.lane)
  }

  /** Loads the documents of lanes, once for each lease. */
  async function hold(wanted: readonly Lease[]): Promise<void> {
    const known = wanted.flatMap(({ lane, fence }) => {
      const found = lanes.get(lane)
      return found?.lease.fence === fence ? [found] : []
    })
    const fresh = wanted
      .filter(({ lane, fence }) => lanes.get(lane)?.lease.fence !== fence)
      .map((lease): HeldLane => ({ lease, loaded: false, loading: Promise.resolve() }))
    const loading = load(fresh)
    await Promise.all([loading, ...known.map(lane => lane.loading)])
  }

  function load(fresh: readonly HeldLane[]): Promise<void> {
    if (fresh.length === 0) return Promise.resolve()
    const loading = loadNow(fresh)
    for (const lane of fresh) lane.loading = loading
    return loading
  }

  async function loadNow(fresh: readonly HeldLane[]): Promise<void> {
    for (const lane of fresh) {
      const former = lanes.get(lane.lease.lane)
      if (former !== undefined) drop(former.lease)
      lanes.set(lane.lease.lane, lane)
    }
    const isCurrent = (lane: HeldLane) => lanes.get(lane.lease.lane) === lane
    try {
      const found = await store.ofLanes(fresh.map(({ lease }) => lease.lane))
      const current = new Set(fresh.filter(isCurrent).map(({ lease }) => lease.lane))
      const ours = found.filter(({ account }) => current.has(laneOf(account, count)))
      held.load(ours)
      for (const lane of fresh) lane.loaded = true
      copied.forget(account => current.has(laneOf(account, count)))
      for (const account of new Set(ours.map(each => each.account))) read(account)
    } catch (error) {
      for (const lane of fresh) if (isCurrent(lane)) lanes.delete(lane.lease.lane)
      throw error
    }
  }

  async function isHeld(account: string): Promise<void> {
    if (holds(account)) return
    const lease = leases?.isOurs(account) === true ? leases.of(account) : null
    if (lease === null) throw notHere(account)
    await hold([lease])
    if (!holds(account)) throw notHere(account)
  }

  function put(documents: readonly MemoryDocument[]): void {
    for (const { parent } of documents) if (!holds(parent)) throw notHere(parent)
    for (const document of documents) held.put(document, now())
    writing.start()
  }

  function erase(documents: readonly MemoryDocument[]): void {
    for (const { collection, key } of documents) held.erase(collection, key, now())
    if (documents.length > 0) writing.start()
  }

  const nodes: NodesOfMemory = {
    attach(given) {
      leases = given
    },
    holds,
    leaseOf(account) {
      const lane = lanes.get(laneOf(account, count))
      if (lane === undefined || !holds(account)) throw notHere(account)
      return lane.lease
    },
    held: isHeld,
    async refresh(account) {
      if (holds(account)) return
      if (leases?.isOurs(account) === true) await isHeld(account)
      else await copied.refresh(account)
    },
    find: async (account, collection, key) =>
      holds(account) ? (find(collection, key)?.body ?? null) : store.find({ account, collection, key }),
    get epoch() {
      return epoch
    },
    onRead: listener => void listeners.push(listener),
    gained: numbers => hold(numbers.flatMap(lane => leases?.leaseOf(lane) ?? [])),
    leaving(numbers) {
      const left = numbers.flatMap(lane => lanes.get(lane)?.lease ?? [])
      return async () => {
        // What cannot be written now was not answered for either.
        await writing.done().catch(() => {})
        for (const lease of left) drop(lease)
      }
    },
  }

  return {
    nodes,
    read: (collection, key) => find(collection, key)?.body ?? null,
    write: put,
    written: () => writing.done(),
    list: (collection, { parent, limit }) =>
      parent === undefined || holds(parent)
        ? held.list(collection, parent, limit)
        : copied.list(collection, parent, limit),
    replace(parent, collections, documents) {
      if (!holds(parent)) throw notHere(parent)
      erase(collections.flatMap(collection => held.list(collection, parent, Number.MAX_SAFE_INTEGER)))
      put(documents)
    },
    eraseOf(parent, limit) {
      if (!holds(parent)) throw notHere(parent)
      const some = held.some(parent, limit)
      erase(some)
      return some.length
    },
    eraseOld(query) {
      const { old, next } = held.page(query)
      const ours = old.filter(({ parent }) => holds(parent))
      erase(ours)
      return { gone: ours.length, next }
    },
    erase(collection, key) {
      const known = find(collection, key)
      if (known === undefined) return
      if (!holds(known.parent)) throw notHere(known.parent)
      erase([known])
    },
    close: () => writing.done(),
  }
}

/** Another node has the account, or has just taken it over. */
function notHere(account: string): Fault {
  return new Fault('lease_lost', { detail: account })
}
