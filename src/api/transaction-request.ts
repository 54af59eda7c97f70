// src/api/transaction-request.ts — reads the REST body that starts a transaction.

import { type TSchema, Type } from 'typebox'
import type { TransactionType } from '../domain/counter/transaction-events.ts'
import type { RequestedTransaction } from '../services/counter/start-transaction.ts'
import type { JsonObject } from './read/json-body.ts'
import { isBlank, type Read, readAs } from './read/schema-reader.ts'
import { oneOf } from './schemas.ts'
import {
  FIELD_NAMES,
  type FoundFields,
  optional,
  REQUEST_TYPES,
  requestedTransaction,
  ruleOf,
  TRANSACTION_FIELDS,
  type TransactionField,
} from './transaction-types.ts'

const TYPE = oneOf(Object.keys(REQUEST_TYPES) as readonly TransactionType[])

export const TRANSACTION_REQUEST = Type.Object(
  { transactionType: TYPE, ...Object.fromEntries(FIELD_NAMES.map(field => [field, optional(field)])) },
  { $id: 'TransactionRequest' },
)

/**
 * Reads a request body in the newest version, or says what is wrong with the first invalid field.
 * @param strictCompletion whether a COMPLETION must have `amountPreAuthorisedTotal`
 */
export function readTransactionRequest(body: JsonObject, strictCompletion: boolean): Read<RequestedTransaction> {
  const type = readAs(TYPE, own(body, 'transactionType'), 'transactionType')
  if ('invalid' in type) return type
  const found: Partial<Record<TransactionField, unknown>> = {}
  for (const field of FIELD_NAMES) {
    const read = readField(type.value, field, own(body, field))
    if ('invalid' in read) return read
    found[field] = read.value
  }
  return requestedTransaction(type.value, found as FoundFields, strictCompletion)
}

function readField(type: TransactionType, field: TransactionField, sent: unknown): Read<unknown> {
  switch (ruleOf(type, field, 'rest')) {
    case 'required':
      return readAs(TRANSACTION_FIELDS[field] as TSchema, sent, field)
    case 'optional': {
      const read = readAs(TRANSACTION_FIELDS[field] as TSchema, sent, field)
      return 'invalid' in read && isBlank(sent) ? { value: undefined } : read
    }
    case 'refused':
      return isBlank(sent)
        ? { value: undefined }
        : { invalid: field, says: `is not allowed in a ${type}. Leave it out.` }
    case 'unused':
    case 'required unused':
      return { value: undefined }
  }
}

/** Own properties only, so that `constructor` does not resolve to the prototype's. */
function own(body: JsonObject, name: string): unknown {
  return Object.hasOwn(body, name) ? body[name] : undefined
}
