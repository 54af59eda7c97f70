// src/api/operations/tables/table-changes.ts — changes and deletes uploaded tables.
// Each request has the amounts last known to the till, because a terminal may have taken a payment since.

import type { Static, TObject } from 'typebox'
import type { RefusalCode } from '../../../domain/refusals.ts'
import { MAY_BE_CARD } from '../../../domain/refusals.ts'
import type { TillChange } from '../../../domain/tables/table-decisions.ts'
import { accountOperation, type Method, type Operation } from '../../operation.ts'
import {
  billOf,
  cardFieldOf,
  TABLE_AMOUNT,
  TABLE_DELETION,
  TABLE_EXAMPLES,
  TABLE_LOCK,
  TABLE_RECEIPT,
  TABLE_WAITER_IDS,
} from '../../table-body.ts'

/** Holder of a lock whose request has no `lockedBy`. */
const DEFAULT_HOLDER = 'EPoS'

const PATH = '/pat/tables/{tableName}'

interface ChangeSpec<B extends TObject> {
  readonly name: string
  readonly summary: string
  readonly description?: string
  readonly method: Method
  readonly path: typeof PATH | `${typeof PATH}/${string}`
  readonly schema: B
  readonly examples: Readonly<Record<string, unknown>>
  readonly refusals: readonly RefusalCode[]
  change(body: Static<B>): TillChange
}

/** Defines a change. Checks in order: the table, the body, the last known amounts, the change itself. */
function tableChange<B extends TObject>(spec: ChangeSpec<B>): Operation {
  const { schema, examples, change, refusals, path, ...named } = spec
  return accountOperation({
    ...named,
    tag: 'Pay at table',
    area: 'connect',
    path: path as typeof PATH,
    body: { schema, examples },
    responses: { 204: { description: 'The change is stored.' } },
    refusals: ['table_unknown', 'table_amount_differs', 'table_paid_differs', ...refusals],
    async run({ api, account }, { params: { tableName }, body }) {
      const stored = await api.tables.find(account.id, tableName)
      if (stored === null) return { refused: { code: 'table_unknown' } }
      const read = await body()
      if ('refused' in read) return read
      const field = cardFieldOf(read.value, stored.record)
      if (field !== null) return { refused: { code: 'field_invalid', field, detail: MAY_BE_CARD } }
      const { lastKnownAmount, lastKnownPaidAmount } = read.value as unknown as Static<typeof TABLE_DELETION>
      const lastKnown = { amountMinor: lastKnownAmount, paidMinor: lastKnownPaidAmount }
      const executed = await api.tables.change(account.id, tableName, lastKnown, change(read.value))
      return 'refused' in executed ? executed : { status: 204 }
    },
  })
}

export const deleteTable = tableChange({
  name: 'deleteTable',
  summary: 'Delete a table',
  description:
    'Possible when locked, but not during a payment for it at a terminal. The name can then be reused. The table stays readable ' +
    'under `/api/tables`.',
  method: 'DELETE',
  path: PATH,
  schema: TABLE_DELETION,
  examples: { 'as last seen': TABLE_EXAMPLES.lastKnown },
  refusals: ['table_payment_under_way'],
  change: () => ({ type: 'close' }),
})

export const setTableAmount = tableChange({
  name: 'setTableAmount',
  summary: 'Change the amount of a table',
  method: 'PUT',
  path: `${PATH}/amount`,
  schema: TABLE_AMOUNT,
  examples: { 'another round': { ...TABLE_EXAMPLES.lastKnown, newAmount: 6100 } },
  refusals: ['table_locked'],
  change: ({ newAmount }) => ({ type: 'amount', amountMinor: newAmount }),
})

export const setTableLock = tableChange({
  name: 'setTableLock',
  summary: 'Lock or unlock a table',
  description:
    'A locked table cannot be changed, unless the lock is taken over with `override`. Unlock with the name that locked the table; ' +
    'the lock of a terminal needs `override`.',
  method: 'PUT',
  path: `${PATH}/lock`,
  schema: TABLE_LOCK,
  examples: {
    lock: { ...TABLE_EXAMPLES.lastKnown, locked: true, lockedBy: 'Till 1', override: false },
    unlock: { ...TABLE_EXAMPLES.lastKnown, locked: false, lockedBy: 'Till 1' },
  },
  refusals: ['table_locked'],
  change: ({ locked, lockedBy, override = false }) => ({
    type: locked ? 'lock' : 'unlock',
    by: lockedBy || DEFAULT_HOLDER,
    override,
  }),
})

export const setTableReceipt = tableChange({
  name: 'setTableReceipt',
  summary: 'Change the bill of a table',
  method: 'PUT',
  path: `${PATH}/receipt`,
  schema: TABLE_RECEIPT,
  examples: { 'a new bill': { ...TABLE_EXAMPLES.lastKnown, newReceipt: [{ value: 'Total              61.00' }] } },
  refusals: ['table_locked'],
  change: ({ newReceipt }) => ({ type: 'bill', bill: billOf(newReceipt) }),
})

export const setTableWaiterIds = tableChange({
  name: 'setTableWaiterIds',
  summary: 'Change the waiters who see a table at a terminal',
  method: 'PUT',
  path: `${PATH}/waiterids`,
  schema: TABLE_WAITER_IDS,
  examples: { 'two waiters': { ...TABLE_EXAMPLES.lastKnown, newWaiterIds: ['7', '9'] } },
  refusals: ['table_locked'],
  change: ({ newWaiterIds }) => ({ type: 'waiters', waiterIds: newWaiterIds }),
})
