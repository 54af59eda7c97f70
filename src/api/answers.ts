// src/api/answers.ts — maps refusals to HTTP statuses, JSON-RPC codes and error bodies.
import { maskCardNumbers } from '../domain/card-numbers.ts'
import { REFUSALS, type Refusal, type RefusalCode, sentenceOf } from '../domain/refusals.ts'
import type { RpcCode } from './socket/rpc-codes.ts'

export interface Saying {
  readonly status: number
  readonly rpcCode: RpcCode
  /** `Retry-After` in seconds; null when the same request cannot succeed later. */
  readonly retryAfterSeconds: number | null
}

/** A row for each refusal. A test compares `retryAfterSeconds` with `retry` in the domain. */
export const ANSWERS: Readonly<Record<RefusalCode, Saying>> = {
  path_unknown: { status: 404, rpcCode: -32601, retryAfterSeconds: null },
  method_unknown: { status: 405, rpcCode: -32601, retryAfterSeconds: null },
  url_too_long: { status: 414, rpcCode: -32600, retryAfterSeconds: null },
  headers_too_large: { status: 431, rpcCode: -32600, retryAfterSeconds: null },
  request_malformed: { status: 400, rpcCode: -32600, retryAfterSeconds: null },
  host_invalid: { status: 400, rpcCode: -32600, retryAfterSeconds: null },
  credentials_missing: { status: 401, rpcCode: -32600, retryAfterSeconds: null },
  credentials_refused: { status: 401, rpcCode: -32600, retryAfterSeconds: null },
  sign_in_refused: { status: 401, rpcCode: -32600, retryAfterSeconds: null },
  code_needed: { status: 401, rpcCode: -32600, retryAfterSeconds: null },
  code_refused: { status: 401, rpcCode: -32600, retryAfterSeconds: null },
  passkey_refused: { status: 401, rpcCode: -32600, retryAfterSeconds: null },
  signed_out: { status: 401, rpcCode: -32600, retryAfterSeconds: null },
  page_token_wrong: { status: 403, rpcCode: -32600, retryAfterSeconds: null },
  person_needed: { status: 403, rpcCode: -32600, retryAfterSeconds: null },
  right_missing: { status: 403, rpcCode: -32600, retryAfterSeconds: null },
  link_ended: { status: 401, rpcCode: -32600, retryAfterSeconds: null },
  link_insufficient: { status: 403, rpcCode: -32600, retryAfterSeconds: null },
  key_area: { status: 403, rpcCode: -32600, retryAfterSeconds: null },
  key_terminals: { status: 403, rpcCode: -32600, retryAfterSeconds: null },
  jwt_missing: { status: 401, rpcCode: -32600, retryAfterSeconds: null },
  jwt_malformed: { status: 401, rpcCode: -32600, retryAfterSeconds: null },
  jwt_claim_invalid: { status: 401, rpcCode: -32600, retryAfterSeconds: null },
  jwt_signature_wrong: { status: 401, rpcCode: -32600, retryAfterSeconds: null },
  jwt_expired: { status: 401, rpcCode: -32600, retryAfterSeconds: null },
  jwt_not_yet_valid: { status: 401, rpcCode: -32600, retryAfterSeconds: null },
  jwt_audience_wrong: { status: 401, rpcCode: -32600, retryAfterSeconds: null },
  jwt_key_unknown: { status: 401, rpcCode: -32600, retryAfterSeconds: null },
  merchant_url_wrong: { status: 401, rpcCode: -32600, retryAfterSeconds: null },
  version_unknown: { status: 406, rpcCode: -32600, retryAfterSeconds: null },
  api_version_unknown: { status: 406, rpcCode: -32600, retryAfterSeconds: null },
  software_house_missing: { status: 422, rpcCode: -32600, retryAfterSeconds: null },
  installer_missing: { status: 422, rpcCode: -32600, retryAfterSeconds: null },
  origin_refused: { status: 403, rpcCode: -32600, retryAfterSeconds: null },
  upgrade_required: { status: 426, rpcCode: -32600, retryAfterSeconds: null },
  command_line_only: { status: 403, rpcCode: -32600, retryAfterSeconds: null },
  connections_exhausted: { status: 503, rpcCode: -32070, retryAfterSeconds: 10 },
  // The text of the refusal says ten seconds.
  terminal_unavailable: { status: 404, rpcCode: -32602, retryAfterSeconds: 10 },
  transaction_unknown: { status: 404, rpcCode: -32602, retryAfterSeconds: null },
  report_unknown: { status: 404, rpcCode: -32602, retryAfterSeconds: null },
  delivery_unknown: { status: 404, rpcCode: -32602, retryAfterSeconds: null },
  payment_unknown: { status: 404, rpcCode: -32602, retryAfterSeconds: null },
  table_unknown: { status: 404, rpcCode: -32602, retryAfterSeconds: null },
  account_unknown: { status: 404, rpcCode: -32602, retryAfterSeconds: null },
  key_unknown: { status: 404, rpcCode: -32602, retryAfterSeconds: null },
  user_unknown: { status: 404, rpcCode: -32602, retryAfterSeconds: null },
  passkey_unknown: { status: 404, rpcCode: -32602, retryAfterSeconds: null },
  session_unknown: { status: 404, rpcCode: -32602, retryAfterSeconds: null },
  too_fast: { status: 429, rpcCode: -32070, retryAfterSeconds: 1 },
  body_too_large: { status: 413, rpcCode: -32600, retryAfterSeconds: null },
  media_type_unknown: { status: 415, rpcCode: -32700, retryAfterSeconds: null },
  body_not_json: { status: 422, rpcCode: -32700, retryAfterSeconds: null },
  field_invalid: { status: 422, rpcCode: -32602, retryAfterSeconds: null },
  filter_invalid: { status: 422, rpcCode: -32602, retryAfterSeconds: null },
  header_invalid: { status: 422, rpcCode: -32600, retryAfterSeconds: null },
  scenario_unplayable: { status: 422, rpcCode: -32602, retryAfterSeconds: null },
  online_field_invalid: { status: 400, rpcCode: -32602, retryAfterSeconds: null },
  card_number_misplaced: { status: 422, rpcCode: -32602, retryAfterSeconds: null },
  cross_reference_unknown: { status: 400, rpcCode: -32602, retryAfterSeconds: null },
  access_token_unknown: { status: 400, rpcCode: -32602, retryAfterSeconds: null },
  access_token_spent: { status: 400, rpcCode: -32602, retryAfterSeconds: null },
  merchant_transaction_taken: { status: 400, rpcCode: -32602, retryAfterSeconds: null },
  transaction_type_invalid: { status: 400, rpcCode: -32602, retryAfterSeconds: null },
  wallet_silent: { status: 502, rpcCode: -32073, retryAfterSeconds: 5 },
  payment_not_revocable: { status: 400, rpcCode: -32602, retryAfterSeconds: null },
  payment_not_successful: { status: 409, rpcCode: -32602, retryAfterSeconds: null },
  payment_not_closable: { status: 409, rpcCode: -32602, retryAfterSeconds: null },
  transaction_not_closable: { status: 409, rpcCode: -32602, retryAfterSeconds: null },
  payment_not_paused: { status: 400, rpcCode: -32602, retryAfterSeconds: null },
  linked_payment_refused: { status: 400, rpcCode: -32602, retryAfterSeconds: null },
  outcome_unknown: { status: 504, rpcCode: -32073, retryAfterSeconds: null },
  account_shared: { status: 409, rpcCode: -32602, retryAfterSeconds: null },
  idempotency_key_reused: { status: 422, rpcCode: -32602, retryAfterSeconds: null },
  signature_pending: { status: 423, rpcCode: -32071, retryAfterSeconds: 5 },
  terminal_busy: { status: 422, rpcCode: -32071, retryAfterSeconds: 2 },
  nothing_to_cancel: { status: 422, rpcCode: -32072, retryAfterSeconds: null },
  signature_too_late: { status: 422, rpcCode: -32602, retryAfterSeconds: null },
  nothing_to_repeat: { status: 422, rpcCode: -32074, retryAfterSeconds: null },
  terminal_silent: { status: 504, rpcCode: -32073, retryAfterSeconds: 10 },
  table_exists: { status: 409, rpcCode: -32602, retryAfterSeconds: null },
  too_many_tables: { status: 422, rpcCode: -32602, retryAfterSeconds: null },
  table_amount_differs: { status: 422, rpcCode: -32602, retryAfterSeconds: null },
  table_paid_differs: { status: 422, rpcCode: -32602, retryAfterSeconds: null },
  table_payment_under_way: { status: 422, rpcCode: -32071, retryAfterSeconds: 2 },
  table_locked: { status: 423, rpcCode: -32071, retryAfterSeconds: 5 },
  table_not_held: { status: 409, rpcCode: -32602, retryAfterSeconds: null },
  table_overpaid: { status: 422, rpcCode: -32602, retryAfterSeconds: null },
  table_attempts_exhausted: { status: 422, rpcCode: -32602, retryAfterSeconds: null },
  too_many_terminals: { status: 409, rpcCode: -32602, retryAfterSeconds: null },
  passkeys_exhausted: { status: 409, rpcCode: -32602, retryAfterSeconds: null },
  last_owner: { status: 409, rpcCode: -32602, retryAfterSeconds: null },
  already_exists: { status: 409, rpcCode: -32602, retryAfterSeconds: null },
  delivery_under_way: { status: 409, rpcCode: -32070, retryAfterSeconds: 5 },
  too_many_keys: { status: 409, rpcCode: -32602, retryAfterSeconds: null },
  too_many_secrets: { status: 409, rpcCode: -32070, retryAfterSeconds: 3600 },
  too_many_links: { status: 409, rpcCode: -32070, retryAfterSeconds: 3600 },
  clock_in_use: { status: 409, rpcCode: -32070, retryAfterSeconds: 1 },
  screen_refuses: { status: 409, rpcCode: -32070, retryAfterSeconds: 1 },
  gateway_busy: { status: 503, rpcCode: -32070, retryAfterSeconds: 1 },
  store_unwritable: { status: 503, rpcCode: -32070, retryAfterSeconds: 5 },
  store_lost: { status: 503, rpcCode: -32070, retryAfterSeconds: 5 },
  gateway_stopping: { status: 503, rpcCode: -32070, retryAfterSeconds: 5 },
}

/**
 * Body of a refusal in the connect area, newest version: one sentence for the cashier, in `userMessage` and as the only
 * element of `messages`.
 * @param location address of the transaction that waits for a signature
 */
export function connectError(refusal: Refusal, location?: string): Record<string, unknown> {
  const sentence = sentenceOf(refusal)
  return { userMessage: sentence, messages: [sentence], ...(location === undefined ? {} : { location }) }
}

/** Body of a refusal in the other areas: RFC 9457 with `code`, `field`, `requestId` and `retry`. */
export function problem(refusal: Refusal, requestId: string): Record<string, unknown> {
  const row = REFUSALS[refusal.code]
  const title = 'title' in row ? row.title : row.text.replaceAll(/\{(?:tid|field|detail)\}/g, '…')
  return {
    type: `urn:tollgate:problem:${refusal.code}`,
    title,
    status: ANSWERS[refusal.code].status,
    detail: sentenceOf(refusal),
    code: refusal.code,
    ...(refusal.field === undefined ? {} : { field: maskCardNumbers(refusal.field) }),
    requestId,
    retry: row.retry,
  }
}

/** The online interface answers every invalid request with 400. */
const ONLINE_STATUS: Readonly<Partial<Record<RefusalCode, number>>> = {
  body_not_json: 400,
  field_invalid: 400,
  card_number_misplaced: 400,
  media_type_unknown: 400,
  header_invalid: 400,
  // The online interface reports an unknown outcome as a server error.
  outcome_unknown: 500,
}

/** HTTP status of a refusal in the online areas. */
export function onlineStatusOf(code: RefusalCode): number {
  return ONLINE_STATUS[code] ?? ANSWERS[code].status
}

/** Body of a refusal to a web shop's server: one line of text, see docs/online-payments.md. */
export function shopError(refusal: Refusal): string {
  return sentenceOf(refusal)
}

/** Body of a refusal to a browser. It repeats the HTTP status, because client libraries read it from the body. */
export function browserError(refusal: Refusal): { readonly statusCode: number; readonly message: string } {
  const spent = refusal.code === 'access_token_spent' || refusal.code === 'access_token_unknown'
  return { statusCode: spent ? 401 : onlineStatusOf(refusal.code), message: sentenceOf(refusal) }
}

/** Body of a 500 outside the connect area, which defines none. The log has the error under `requestId`. */
export function internalProblem(requestId: string): Record<string, unknown> {
  return {
    type: 'about:blank',
    title: 'Internal Server Error',
    status: 500,
    detail: 'Something went wrong inside the gateway. The log has the details under this request id.',
    code: 'internal',
    requestId,
    retry: false,
  }
}
