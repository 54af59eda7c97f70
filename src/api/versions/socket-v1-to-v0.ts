// src/api/versions/socket-v1-to-v0.ts — maps WebSocket v1 to v0. The differences: docs/websocket.md.
import { type TArray, type TObject, Type } from 'typebox'
import { NEWEST_NOTIFICATIONS } from '../../domain/counter/notifications.ts'
import type { JsonObject } from '../read/json-body.ts'
import { oneOf } from '../schemas.ts'
import { TID } from '../socket/shapes.ts'
import { NEWEST_METHODS } from '../transaction-types.ts'
import { CAPABILITIES, olderVerification, zonedTime } from './older-words.ts'
import { renamed, without } from './reshape.ts'
import { schemaOf, schemaRenamed, schemaWith } from './reshape-schema.ts'
import type { MethodSchemas, PushSchemas, TablePushes, VersionMapping } from './socket-schemas.ts'

/** Whether a method was introduced in v1. */
const isNewer = (name: string): boolean => name === 'terminalDetails' || NEWEST_METHODS.has(name)

/** Params of payments in v0. */
const PAYMENT_PARAMS = ['tid', 'currency', 'amount']

const CAPABILITY_LIST = Type.Array(oneOf(CAPABILITIES))

const ZONED_TIME = Type.String({
  pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ$',
  description: 'Local time of the site, written as a date-time.',
})

export const V0: VersionMapping = newer => ({
  methods: newer.methods.filter(({ name }) => !isNewer(name)).flatMap(older),
  notification: notification(newer.notification),
  signatureRequest: pushWithTpi(newer.signatureRequest),
  tables: tablesWithTpi(newer.tables),
  terminalMember: 'tpi',
})

function older(form: MethodSchemas): MethodSchemas | readonly MethodSchemas[] {
  switch (form.name) {
    case 'connectedTerminals':
      return [connectedTerminals(form), terminalsDetails(connectedTerminals(form))]
    case 'cancelTransaction':
      return cancelTransaction(withTpi(form))
    case 'sale':
    case 'refund':
      return payment(withTpi({ ...form, params: schemaOf(form.params, PAYMENT_PARAMS), passedOver: [] }))
    case 'duplicate':
      return payment(withTpi(form))
    default:
      return report(withTpi(form))
  }
}

/** Renames `tid` to `tpi` in params and result. */
function withTpi(form: MethodSchemas): MethodSchemas {
  const { example } = form
  return {
    ...form,
    params: schemaRenamed(form.params, 'tid', 'tpi'),
    result: schemaRenamed(form.result as TObject, 'tid', 'tpi'),
    example: { params: asTpi(example.params), result: asTpi(example.result as JsonObject) },
    upgrade: params => form.upgrade(renamed(params, 'tpi', 'tid')),
    downgrade: (result, params) => asTpi(form.downgrade(result, params) as JsonObject),
  }
}

function asTpi(object: JsonObject): JsonObject {
  return renamed(object, 'tid', 'tpi')
}

/** Terminals have `capabilities`, which is also a filter. */
function connectedTerminals(form: MethodSchemas): MethodSchemas {
  const terminal = schemaRenamed((form.result as TArray<TObject>).items, 'tid', 'tpi')
  const withCapabilities = (terminals: unknown) =>
    (terminals as readonly JsonObject[]).map(each => ({ ...asTpi(each), capabilities: [...CAPABILITIES] }))
  return {
    ...form,
    params: schemaWith(form.params, { capabilities: Type.Optional(CAPABILITY_LIST) }),
    result: Type.Array(schemaWith(terminal, { capabilities: CAPABILITY_LIST })),
    example: { params: form.example.params, result: withCapabilities(form.example.result) },
    upgrade: params => form.upgrade(without(params, ['capabilities'])),
    downgrade: (result, params) => withCapabilities(form.downgrade(result, params)),
  }
}

/** Lists the named terminals. Unknown ones are left out. */
function terminalsDetails(form: MethodSchemas): MethodSchemas {
  const namesIn = ({ tpis = [], tpi = [] }: JsonObject) => new Set([...(tpis as string[]), ...(tpi as string[])])
  const list = Type.Array(TID)
  const { paramsOptional, ...rest } = form
  return {
    ...rest,
    name: 'terminalsDetails',
    summary: 'Read several terminals',
    description: 'Unknown and unconnected terminals are left out.',
    params: Type.Unsafe({
      type: 'object',
      additionalProperties: false,
      properties: { tpis: list, tpi: { ...list, description: 'Another name for `tpis`.' } },
      anyOf: [{ required: ['tpis'] }, { required: ['tpi'] }],
    }) as unknown as TObject,
    example: { params: { tpis: ['22160001'] }, result: form.example.result },
    upgrade: () => form.upgrade({}),
    downgrade: (result, params) => {
      const names = namesIn(params)
      return (form.downgrade(result, {}) as readonly JsonObject[]).filter(({ tpi }) => names.has(String(tpi)))
    },
  }
}

/** The answer waits for the outcome, and `cancelled` replaces `cancelling`. */
function cancelTransaction(form: MethodSchemas): MethodSchemas {
  const asCancelled = (result: unknown) => renamed(result as JsonObject, 'cancelling', 'cancelled')
  return {
    ...form,
    description: 'Answered when the outcome is known, with `cancelled` if it was cancelled.',
    result: schemaRenamed(form.result as TObject, 'cancelling', 'cancelled'),
    example: { params: form.example.params, result: asCancelled(form.example.result) },
    downgrade: (result, params) => asCancelled(form.downgrade(result, params)),
    waits: true,
  }
}

function payment(form: MethodSchemas): MethodSchemas {
  const result = schemaWith(form.result as TObject, {
    transactionTime: ZONED_TIME,
    cardholderVerificationMethod: oneOf(['NONE', 'PIN', 'SIGNATURE', 'DEVICE']),
    userMessage: null,
  })
  const old = (newer: unknown): JsonObject => {
    const {
      transactionTime,
      cardholderVerificationMethod: method,
      ...rest
    } = without(newer as JsonObject, ['userMessage'])
    return {
      ...rest,
      cardholderVerificationMethod: olderVerification(method),
      transactionTime: zonedTime(transactionTime),
    }
  }
  return {
    ...form,
    result,
    example: { params: form.example.params, result: old(form.example.result) },
    downgrade: (newer, params) => old(form.downgrade(newer, params)),
  }
}

function report(form: MethodSchemas): MethodSchemas {
  const old = (newer: unknown): JsonObject => {
    const { reportTime, ...rest } = newer as JsonObject
    return { ...rest, reportTime: zonedTime(reportTime) }
  }
  return {
    ...form,
    result: schemaWith(form.result as TObject, { reportTime: ZONED_TIME }),
    example: { params: form.example.params, result: old(form.example.result) },
    downgrade: (newer, params) => old(form.downgrade(newer, params)),
  }
}

function pushWithTpi(form: PushSchemas): PushSchemas {
  const { params, result } = form.example
  return {
    ...form,
    params: schemaRenamed(form.params, 'tid', 'tpi'),
    example: { params: asTpi(params), ...(result === undefined ? {} : { result }) },
    downgrade: newer => {
      const downgraded = form.downgrade(newer)
      return downgraded === null ? null : asTpi(downgraded)
    },
  }
}

function tablesWithTpi({ tables, lock, bill, payments, finalBill, unlock }: TablePushes): TablePushes {
  return {
    tables: pushWithTpi(tables),
    lock: pushWithTpi(lock),
    bill: pushWithTpi(bill),
    payments: pushWithTpi(payments),
    finalBill: pushWithTpi(finalBill),
    unlock: pushWithTpi(unlock),
  }
}

function notification(form: PushSchemas): PushSchemas {
  const { params, downgrade, words = {} } = pushWithTpi(form)
  const known = Object.fromEntries(Object.entries(words).filter(([value]) => !NEWEST_NOTIFICATIONS.has(value)))
  return {
    ...pushWithTpi(form),
    words: known,
    params: schemaWith(params, { notificationValue: oneOf(Object.keys(known)) }),
    downgrade: newer => (NEWEST_NOTIFICATIONS.has(newer['notificationValue']) ? null : downgrade(newer)),
  }
}
