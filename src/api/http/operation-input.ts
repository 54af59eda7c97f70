// src/api/http/operation-input.ts — reads query and body of a request by the schemas of its operation.
import type { Operation, RequestContext } from '../operation.ts'
import { type FieldFault, refusedFor } from '../read/field-fault.ts'
import { formIn } from '../read/form-body.ts'
import { type JsonObject, jsonIn, type Refused, textIn } from '../read/json-body.ts'
import type { SentBody } from '../read/raw-body.ts'
import { recordedFields } from '../read/recorded-fields.ts'
import { readAs } from '../read/schema-reader.ts'
import { type ApiVersion, upgrade, upgradeQuery } from '../versions/select.ts'

type AnyInput = Parameters<Operation['run']>[1]

interface Received {
  readonly params: Readonly<Record<string, string>>
  readonly query: JsonObject
  readonly sent: SentBody
}

/** Reads the query. Refuses it with the name of the invalid parameter. */
export function queryOf(
  { name, area, query: schema, inner = [] }: Operation,
  apiVersion: ApiVersion,
  sent: unknown,
): { readonly value: JsonObject } | Refused {
  if (schema === undefined) return { value: {} }
  const query = { ...Object(sent) }
  for (const parameter of inner) delete query[parameter]
  const read = readAs(schema, area === 'connect' ? upgradeQuery(apiVersion, name, query) : query, '')
  return 'invalid' in read ? invalid(read) : read
}

/** Builds the input of an operation. The body is read and checked when the operation asks for it. */
export function inputOf(
  operation: Operation,
  { request: { headers }, apiVersion, onBody }: RequestContext,
  { params, query, sent }: Received,
): AnyInput {
  const { name, body: spec } = operation
  const json = async (): ReturnType<AnyInput['json']> => {
    const read = jsonIn(headers, sent, spec?.optional === true)
    if ('refused' in read) return read
    if (spec !== undefined) onBody?.(recordedFields(spec.schema, read.value))
    return { value: upgrade(apiVersion, name, read.value) }
  }
  const body = async (): ReturnType<AnyInput['body']> => {
    const read = await json()
    if ('refused' in read || spec === undefined) return read
    const found = readAs(spec.schema, read.value, '')
    return 'invalid' in found ? invalid(found) : found
  }
  return { params, query, json, body, form: () => formIn(headers, sent), text: () => textIn(headers, sent) }
}

/** An invalid object has no field name; the refusal names `body`. */
function invalid(fault: FieldFault): Refused {
  return refusedFor(fault.invalid === '' ? { ...fault, invalid: 'body' } : fault)
}
