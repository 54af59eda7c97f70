// src/store/postgres/images.ts — reads all data of an account as one value and restores it.
import { Fault } from '../../engine/fault.ts'
import type { AccountImage, AccountImages, ImageRecord } from '../../engine/ports/account-images.ts'
import { type Idempotency, isAccountKey } from '../../engine/ports/store.ts'
import { dayOf } from '../days.ts'
import type { Connections } from './connections.ts'
import { emptyChanges, type GroupChanges } from './group-plan.ts'
import { nameOf, nameOfRecord, type RecordState } from './group-state.ts'
import { drawNumbers, runner, writeChanges } from './group-writes.ts'
import { lockAccounts } from './lock-accounts.ts'
import { lostLeases } from './lost-leases.ts'
import type { Query } from './session.ts'
import { CLEARINGS, IMAGE_WRITES, IMAGES } from './work-statements.ts'

type OfRecord = { readonly kind: string; readonly id: string }
type Row = OfRecord & Pick<ImageRecord, 'version' | 'parent' | 'live' | 'exclusive' | 'body'>

export function createImages(connections: Connections, writer: number): AccountImages {
  return {
    /** The account is locked meanwhile, so the image is of one moment. */
    imageOf: (account, except) =>
      connections.transaction(async query => {
        await lockAccounts(query, [{ account }])
        return readImage(query, account, except)
      }),
    putImage: (account, except, image, lease) =>
      connections.transaction(async query => {
        await lockAccounts(query, [{ account }])
        if (lease !== undefined && (await lostLeases(query, [lease])).length > 0)
          throw new Fault('lease_lost', { detail: account })
        for (const statement of Object.values(CLEARINGS)) await query(statement, [account, except])
        await query(IMAGE_WRITES.clearIdempotency, [account])
        await writeImage(query, account, image, writer)
      }),
  }
}

async function readImage(query: Query, account: string, except: readonly string[]): Promise<AccountImage> {
  const values = [account, except]
  const records = await query<Row>(IMAGES.records, values)
  const claims = byRecord(await query<OfRecord & { readonly key: string }>(IMAGES.uniqueKeys, values))
  const events = byRecord(await query<OfRecord & ImageRecord['events'][number]>(IMAGES.events, values))
  const effects = byRecord(await query<OfRecord & ImageRecord['effects'][number]>(IMAGES.effects, values))
  const timers = byRecord(await query<OfRecord & ImageRecord['timers'][number]>(IMAGES.timers, values))
  return {
    records: records.map(({ kind, id, version, parent, live, exclusive, body }) => ({
      ...{ kind, id, version, parent, live, exclusive, body },
      claims: claims(kind, id).map(({ key }) => key),
      events: events(kind, id),
      effects: effects(kind, id),
      timers: timers(kind, id),
    })),
    idempotency: await query<Idempotency>(IMAGES.idempotency, [account]),
  }
}

function byRecord<Found extends OfRecord>(rows: readonly Found[]) {
  const found = new Map<string, Omit<Found, 'kind' | 'id'>[]>()
  for (const { kind, id, ...rest } of rows) {
    const name = nameOf(kind, id)
    const list = found.get(name)
    if (list === undefined) found.set(name, [rest])
    else list.push(rest)
  }
  return (kind: string, id: string): readonly Omit<Found, 'kind' | 'id'>[] => found.get(nameOf(kind, id)) ?? []
}

/** Writes the records of an image as if the account were new. Its events keep their cursors. */
async function writeImage(query: Query, account: string, image: AccountImage, writer: number): Promise<void> {
  const changes = emptyChanges()
  const keys: (readonly [RecordState, string])[] = []
  for (const imaged of image.records) {
    const record = stateOf(account, imaged)
    addRecord(changes, record, imaged)
    keys.push(...(imaged.claims ?? []).map(key => [record, key] as const))
  }
  for (const { key, ...answer } of image.idempotency)
    changes.idempotency.set(nameOf(account, key), { ...answer, key, account })
  await drawNumbers(query, changes)
  for (const [index, { cursor }] of image.records.flatMap(({ events }) => events).entries()) {
    const event = changes.events[index]
    if (event !== undefined) event.number = cursor
  }
  await writeChanges(query, changes, writer)
  const run = runner(query)
  const rowOf = ([{ kind, id }, key]: (typeof keys)[number]) => [account, key, kind, id]
  await run(IMAGE_WRITES.uniqueKeys, keys.map(rowOf))
  await run(IMAGE_WRITES.accountKeys, keys.filter(([, key]) => isAccountKey(key)).map(rowOf))
}

function stateOf(account: string, { kind, id, version, parent, live, exclusive, events }: ImageRecord): RecordState {
  const createdAt = events[0]?.at ?? 0
  return { account, kind, id, version, parent, live, lockKey: exclusive, position: null, createdAt }
}

function addRecord(changes: GroupChanges, record: RecordState, imaged: ImageRecord): void {
  const { account, createdAt, lockKey } = record
  const { terms, events, effects, timers, body } = imaged
  changes.records.set(nameOfRecord(record), { record, before: null, at: events.at(-1)?.at ?? createdAt, body })
  if (lockKey !== null && isAccountKey(lockKey)) changes.takenAccountKeys.set(lockKey, { record, key: lockKey })
  for (const value of events) changes.events.push({ record, value, number: 0 })
  for (const value of effects) changes.effects.set(nameOf(account, value.effectId), { record, value, number: 0 })
  changes.timers.set(nameOfRecord(record), { record, timers })
  if (terms === undefined) return
  changes.days.push({ record, day: dayOf(createdAt) })
  for (const term of terms) changes.terms.set(nameOf(nameOfRecord(record), term), { record, term, isEntered: true })
}
