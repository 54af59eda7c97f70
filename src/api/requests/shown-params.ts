// src/api/requests/shown-params.ts — the parameters of a path as people may read them later.
import { redacted } from '../../domain/redaction.ts'
import { idOfToken, readToken } from '../../services/online/tokens.ts'
import type { JsonObject } from '../read/json-body.ts'

/** The management API takes the id of an online payment, too. */
const PAYMENT_ID = /^[\da-f]{64}$/

/** Parameters of the path. An access token is replaced by the id of its payment. */
export function shownParams(params: Readonly<Record<string, string>>): JsonObject {
  const { token, ...others } = params
  if (token === undefined) return redacted(others) as JsonObject
  const read = readToken(token)
  const payment = read === null ? (PAYMENT_ID.exec(token)?.[0] ?? 'unknown') : idOfToken(read.token)
  return { ...(redacted(others) as JsonObject), payment }
}
