// src/api/http/input.ts — what a request says beside its address: query and body, read as the operation's schemas say.
import type { Operation, RequestContext } from '../operation.ts'
import { type JsonObject, type Refused, readJsonBody } from '../read/json-body.ts'
import { readAs } from '../read/lenient.ts'
import { type ApiVersion, upgrade, upgradeQuery } from '../versions/select.ts'

type AnyInput = Parameters<Operation['run']>[1]

/** The query, or the parameter at fault. */
export function queryOf(
  { name, area, query: schema, inner = [] }: Operation,
  apiVersion: ApiVersion,
  sent: unknown,
): { readonly value: JsonObject } | Refused {
  if (schema === undefined) return { value: {} }
  const query = { ...Object(sent) }
  for (const parameter of inner) delete query[parameter]
  const read = readAs(schema, area === 'connect' ? upgradeQuery(apiVersion, name, query) : query, '')
  return 'invalid' in read ? invalid(read.invalid) : read
}

/** The input of an operation. The body is not touched before the operation asks for it. */
export function inputOf(
  operation: Operation,
  { api, request, apiVersion, heard }: RequestContext,
  params: Readonly<Record<string, string>>,
  query: JsonObject,
): AnyInput {
  const { name, body: spec } = operation
  const json = (): ReturnType<AnyInput['json']> =>
    readJsonBody(request, api.settings.bodyLimitBytes, spec?.optional === true).then(read => {
      if ('refused' in read) return read
      heard?.(read.value)
      return { value: upgrade(apiVersion, name, read.value) }
    })
  const body = async (): ReturnType<AnyInput['body']> => {
    const sent = await json()
    if ('refused' in sent || spec === undefined) return sent
    const read = readAs(spec.schema, sent.value, '')
    return 'invalid' in read ? invalid(read.invalid) : read
  }
  return { params, query, json, body }
}

/** A schema may find fault with the object itself, which has no name. */
function invalid(field: string): Refused {
  return { refused: { code: 'field_invalid', field: field === '' ? 'body' : field } }
}
