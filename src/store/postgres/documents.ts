// src/store/postgres/documents.ts — documents of merchant accounts on Postgres, written under the lease of their lane. ADR 71.

import type { ChangedDocuments, DocumentChange, Documents, StoredDocument } from '../../engine/ports/documents.ts'
import { laneOf } from '../../engine/work-leases.ts'
import type { Connections } from './connections.ts'
import { DOCUMENTS } from './document-statements.ts'
import { runner } from './group-writes.ts'
import { LANES } from './lanes.ts'
import { lostLeases } from './lost-leases.ts'
import type { Query } from './session.ts'
import { LEASES, SCHEMA } from './work-statements.ts'

/** Documents read at a time. */
const PAGE = 1_000

/** @throws faults of the database, as all its methods */
export function createDocuments({ query, transaction }: Pick<Connections, 'query' | 'transaction'>): Documents {
  return {
    async ofLanes(lanes) {
      const found: StoredDocument[] = []
      for (let after = { account: '', position: -1 }; ; ) {
        const values = [lanes, after.account, after.position, PAGE]
        const page = await query<StoredDocument>(DOCUMENTS.ofLanes, values)
        found.push(...page)
        const last = page.at(-1)
        if (last === undefined || page.length < PAGE) return found
        after = last
      }
    },
    write: (changes, leases) =>
      transaction(async inside => {
        const over = await lostLeases(inside, leases)
        const ended = new Set(over.map(({ lane }) => lane))
        await writeChanges(
          inside,
          changes.filter(({ account }) => !ended.has(laneOf(account, LANES))),
        )
        return over
      }),
    takeOver: documents =>
      transaction(async inside => {
        // One process at a time looks and writes.
        await inside(SCHEMA.lock, [])
        const [any] = await inside<{ readonly exists: boolean }>(DOCUMENTS.any, [])
        if (any?.exists === true) return 'not_empty'
        const [used] = await inside<{ readonly count: number }>(LEASES.inUse, [])
        if ((used?.count ?? 0) > 0) return 'in_use'
        for (let first = 0; first < documents.length; first += PAGE)
          await writeChanges(inside, documents.slice(first, first + PAGE))
        return 'written'
      }),
    async ofCollection(collection) {
      const rows = await query<{ readonly key: string; readonly body: string }>(DOCUMENTS.ofCollection, [collection])
      return new Map(rows.map(({ key, body }) => [key, body]))
    },
    async find({ account, collection, key }) {
      const [row] = await query<{ readonly body: string }>(DOCUMENTS.find, [account, collection, key])
      return row?.body ?? null
    },
    async changedSince(known, collections) {
      const values = [[...known.keys()], [...known.values()]]
      const changed = await query<ChangedRow>(DOCUMENTS.changed, values)
      if (changed.length === 0) return []
      const wanted = changed.map(row => ({ ...row, whole: row.known === 0 || row.erased > row.known }))
      const since = wanted.map(row => (row.whole ? 0 : row.known))
      const accounts = wanted.map(({ account }) => account)
      const documents = await query<StoredDocument>(DOCUMENTS.since, [accounts, since, collections])
      return wanted.map(
        ({ account, revision, whole }): ChangedDocuments => ({
          ...{ account, revision, whole },
          documents: documents.filter(document => document.account === account),
        }),
      )
    },
  }
}

interface ChangedRow {
  readonly account: string
  readonly revision: number
  readonly erased: number
  readonly known: number
}

async function writeChanges(query: Query, changes: readonly DocumentChange[]): Promise<void> {
  const erased = changes.filter(({ body }) => body === null)
  const revisions = await countChanges(query, changes, new Set(erased.map(({ account }) => account)))
  const run = runner(query)
  await run(
    DOCUMENTS.erase,
    erased.map(({ account, collection, key }) => [account, collection, key]),
  )
  await run(
    DOCUMENTS.put,
    changes.flatMap(({ account, collection, key, position, changedAt, body }) =>
      body === null ? [] : [[account, collection, key, position, revisions.get(account) ?? 0, changedAt, body]],
    ),
  )
}

/** Counts the change of each account. Sorted, so that two groups never wait for each other. */
async function countChanges(
  query: Query,
  changes: readonly DocumentChange[],
  erasing: ReadonlySet<string>,
): Promise<ReadonlyMap<string, number>> {
  const accounts = [...new Set(changes.map(({ account }) => account))].toSorted()
  if (accounts.length === 0) return new Map()
  const rows = await query<{ readonly account: string; readonly revision: number }>(DOCUMENTS.count, [
    accounts,
    accounts.map(account => laneOf(account, LANES)),
    accounts.map(account => erasing.has(account)),
  ])
  return new Map(rows.map(({ account, revision }) => [account, revision]))
}
