// src/simulator/operations/snapshots.ts — operations on an account's state: reset, take and restore snapshots.

import { Type } from 'typebox'
import { utcTimeOf } from '../../api/local-time.ts'
import { type AccountRequestContext, accountOperation } from '../../api/operation.ts'
import { TIME } from '../../api/schemas.ts'
import { MOST_TERMINALS } from '../../domain/accounts/terminal.ts'
import { idHoldsCardNumber } from '../../domain/card-numbers.ts'
import { decodeRecord } from '../../engine/decoding.ts'
import { TERMINAL } from '../../engine/machines.ts'
import { freshSettings } from '../../services/provisioning/provisioning.ts'
import type { SnapshotListing } from '../controls.ts'
import { sandboxOf } from '../interceptor/interceptor.ts'
import { unplayable } from './terminals.ts'

const SNAPSHOT = Type.Object(
  {
    name: Type.String(),
    takenAt: TIME,
    records: Type.Integer({ description: 'Terminals, transactions and reports in it.' }),
  },
  { $id: 'Snapshot' },
)

export const resetAccount = accountOperation({
  name: 'resetAccount',
  summary: 'Reset the account',
  description:
    "Deletes transactions, reports, events and the acquirer's records, resets terminals and their settings, disarms all faults " +
    'and returns to the system clock. Keeps the account, its keys, terminals, scenarios and snapshots.',
  tag: 'Sandbox',
  area: 'sandbox',
  method: 'POST',
  path: '/sandbox/reset',
  right: 'configure',
  responses: { 204: { description: 'The account is reset.' } },
  async run(context) {
    const { api, account } = context
    const sandbox = sandboxOf(api)
    sandbox.faults.disarm(account.id)
    sandbox.webhookFaults.disarm(account.id)
    await sandbox.states.reset(account.id)
    await refreshSettings(context)
    return { status: 204 }
  },
})

export const listSnapshots = accountOperation({
  name: 'listSnapshots',
  summary: 'List the snapshots of the account',
  tag: 'Sandbox',
  area: 'sandbox',
  method: 'GET',
  path: '/sandbox/snapshots',
  responses: {
    200: { description: 'Newest first.', schema: Type.Object({ snapshots: Type.Array(SNAPSHOT) }) },
  },
  run: ({ api, account }) => ({
    status: 200,
    body: { snapshots: sandboxOf(api).states.list(account.id).map(snapshotBody) },
  }),
})

export const takeSnapshot = accountOperation({
  name: 'takeSnapshot',
  summary: 'Take a snapshot of the account',
  description: 'Includes running transactions and the time of the clock. Replaces a snapshot of the same name.',
  tag: 'Sandbox',
  area: 'sandbox',
  method: 'POST',
  path: '/sandbox/snapshots',
  right: 'configure',
  body: {
    schema: Type.Object({
      name: Type.String({
        pattern: '^[a-z0-9][a-z0-9_-]{0,63}$',
        description: 'Lower-case letters, digits, _ and -; at most 64.',
      }),
    }),
    examples: { 'before the tests': { name: 'clean' } },
  },
  responses: { 201: { description: 'The snapshot.', schema: SNAPSHOT } },
  refusals: ['scenario_unplayable', 'card_number_misplaced'],
  async run({ api, account }, { body }) {
    const read = await body()
    if ('refused' in read) return read
    if (idHoldsCardNumber(read.value.name)) return { refused: { code: 'card_number_misplaced', field: 'name' } }
    const taken = await sandboxOf(api).states.take(account.id, read.value.name)
    return 'refusal' in taken ? unplayable(taken) : { status: 201, body: snapshotBody(taken) }
  },
})

export const restoreSnapshot = accountOperation({
  name: 'restoreSnapshot',
  summary: 'Restore a snapshot of the account',
  description:
    'Discards everything since. Transactions that were running continue, at the time of the snapshot. A frozen clock stays ' +
    'frozen. Clients that follow a discarded transaction get no further updates.',
  tag: 'Sandbox',
  area: 'sandbox',
  method: 'POST',
  path: '/sandbox/snapshots/{name}/restore',
  right: 'configure',
  responses: { 204: { description: 'The snapshot is restored.' } },
  refusals: ['path_unknown'],
  async run({ api, account }, { params: { name } }) {
    const restored = await sandboxOf(api).states.restore(account.id, name)
    return restored ? { status: 204 } : { refused: { code: 'path_unknown' } }
  },
})

export const forgetSnapshot = accountOperation({
  name: 'forgetSnapshot',
  summary: 'Delete a snapshot',
  tag: 'Sandbox',
  area: 'sandbox',
  method: 'DELETE',
  path: '/sandbox/snapshots/{name}',
  right: 'configure',
  responses: { 204: { description: 'The snapshot is deleted.' } },
  refusals: ['path_unknown'],
  run: ({ api, account }, { params: { name } }) =>
    sandboxOf(api).states.forget(account.id, name) ? { status: 204 } : { refused: { code: 'path_unknown' } },
})

/** Gives each terminal the settings of a new one. */
async function refreshSettings({ api, account }: AccountRequestContext): Promise<void> {
  const fresh = freshSettings(account.currency)
  const known = await api.store.list(account.id, { kind: TERMINAL.kind, live: true, limit: MOST_TERMINALS })
  for (const { body } of known) {
    const { tid, settings } = decodeRecord(TERMINAL, body)
    if (JSON.stringify(settings) === JSON.stringify(fresh)) continue
    await api.engine.execute(TERMINAL, { account: account.id, id: tid }, { type: 'configure', changes: fresh })
  }
}

function snapshotBody({ name, takenAt, records }: SnapshotListing) {
  return { name, takenAt: utcTimeOf(takenAt), records }
}
