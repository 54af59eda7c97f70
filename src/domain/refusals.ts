// src/domain/refusals.ts — all refusals, in order of precedence: when two apply, the upper one is returned. A refusal
// changes nothing. `api/answers.ts` has the statuses and JSON-RPC codes.

import { maskCardNumbers } from './card-numbers.ts'
import type { RequestId, TerminalId } from './ids.ts'

/** What is wrong with a field that is stored in clear. */
export const MAY_BE_CARD = 'seems to hold a card number, which is never stored in clear.'

/** `retry`: the same request may succeed later, unchanged. `title`: the text without its values, where that is no sentence. */
export const REFUSALS = {
  path_unknown: { text: 'No resource exists at this path.', retry: false },
  method_unknown: {
    text: 'Method not allowed for this path. The Allow header lists the allowed methods.',
    retry: false,
  },
  url_too_long: { text: 'The URL is too long.', retry: false },
  headers_too_large: { text: 'The request headers are too large.', retry: false },
  request_malformed: { text: 'The request could not be read.', retry: false },
  host_invalid: { text: 'The Host header is not valid.', retry: false },
  credentials_missing: { text: 'Authorisation is missing.', retry: false },
  credentials_refused: { text: 'Authorisation was refused.', retry: false },
  sign_in_refused: { text: 'The account, the user or the password is wrong.', retry: false },
  code_needed: { text: 'A one-time code is needed as well: send it as code.', retry: false },
  code_refused: { text: 'The one-time code is wrong, or was used before.', retry: false },
  passkey_refused: { text: 'The passkey is not known here, or its answer is not valid.', retry: false },
  signed_out: { text: 'The session is over. Sign in again.', retry: false },
  page_token_wrong: {
    text: 'The header Tollgate-Page-Token must hold the pageToken of the session.',
    retry: false,
  },
  person_needed: { text: 'Only a user who is signed in may do this. An API key may not.', retry: false },
  right_missing: {
    text: 'The role {detail} does not allow this.',
    title: 'The role does not allow this.',
    retry: false,
  },
  link_ended: { text: 'The link to the terminal has ended. Make a new one.', retry: false },
  link_insufficient: { text: 'A link to a terminal allows to press that terminal, and nothing else.', retry: false },
  key_area: {
    text: 'The API key may not be used here. It is limited to: {detail}.',
    title: 'The API key may not be used here.',
    retry: false,
  },
  key_terminals: {
    text: 'The API key is limited to terminals, and this is not about one of them.',
    retry: false,
  },
  jwt_missing: { text: 'The Authorization header must hold a Bearer JWT.', retry: false },
  jwt_malformed: { text: 'The Bearer token is not a JWT signed with RS256.', retry: false },
  jwt_claim_invalid: { text: 'The {field} of the JWT is missing or not valid.', retry: false },
  jwt_signature_wrong: { text: 'The JWT is not signed by a key that is registered for this account.', retry: false },
  jwt_expired: { text: 'The JWT has expired: its exp is in the past.', retry: false },
  jwt_not_yet_valid: {
    text: 'The JWT is not valid yet: its {field} is in the future. Check the clock of the server that made it.',
    retry: false,
  },
  jwt_audience_wrong: { text: 'The JWT is meant for another gateway. Its aud must be {detail}', retry: false },
  jwt_key_unknown: { text: 'The apiKey of the JWT is not known or was revoked.', retry: false },
  merchant_url_wrong: { text: 'The merchantUrl is not registered for this account.', retry: false },
  version_unknown: { text: 'The Accept header names no supported media type. Supported: {detail}.', retry: false },
  api_version_unknown: { text: 'The version in api-version is not supported. Supported: {detail}.', retry: false },
  software_house_missing: { text: 'The Software-House-Id header is missing.', retry: false },
  installer_missing: { text: 'The Installer-Id header is missing.', retry: false },
  origin_refused: { text: 'Connections from this origin are not allowed.', retry: false },
  upgrade_required: { text: 'The request must be a WebSocket upgrade.', retry: false },
  command_line_only: {
    text: 'This gateway closes payments at its command line only: run tollgate payments close on its machine, as its user.',
    retry: false,
  },
  connections_exhausted: { text: 'Too many connections are open. Close some, or try again later.', retry: true },
  // literal
  terminal_unavailable: {
    text: '{tid} is unavailable. Please try again in 10 seconds or check the PDQ screen and cabling or restart the PDQ. Contact support if the problem persists.',
    retry: true,
  },
  transaction_unknown: { text: 'The transaction was not found.', retry: false },
  report_unknown: { text: 'The report was not found.', retry: false },
  delivery_unknown: { text: 'The webhook delivery was not found.', retry: false },
  payment_unknown: { text: 'There is no payment for this access token.', retry: false },
  table_unknown: { text: 'The table was not found.', retry: false },
  account_unknown: { text: 'The merchant account was not found.', retry: false },
  key_unknown: { text: 'The key was not found.', retry: false },
  user_unknown: { text: 'The user was not found.', retry: false },
  passkey_unknown: { text: 'The passkey was not found.', retry: false },
  session_unknown: { text: 'The session was not found.', retry: false },
  too_fast: { text: 'Too many requests. Wait before you send more.', retry: true },
  body_too_large: { text: 'The request body is too large.', retry: false },
  media_type_unknown: { text: 'The request body must be JSON.', retry: false },
  body_not_json: { text: 'The request body is not valid JSON.', retry: false },
  field_invalid: {
    text: 'The field {field} {detail}',
    title: 'The field … is missing or not valid.',
    retry: false,
  },
  filter_invalid: {
    text: 'The filter {field} is not valid. {detail}',
    title: 'The filter … is not valid.',
    retry: false,
  },
  header_invalid: { text: 'The header {field} {detail}', title: 'The header … is not valid.', retry: false },
  scenario_unplayable: {
    text: 'The simulator rejected the request. {detail}',
    title: 'The simulator rejected the request.',
    retry: false,
  },
  online_field_invalid: { text: 'Invalid {field}: it {detail}', title: 'Invalid …', retry: false },
  card_number_misplaced: {
    text: `The field {field} ${MAY_BE_CARD}`,
    retry: false,
  },
  cross_reference_unknown: {
    text: 'Invalid crossReference: it must be that of a payment of this account, and the one of the access token.',
    title: 'Invalid crossReference',
    retry: false,
  },
  // literal
  access_token_unknown: { text: 'Invalid access token', retry: false },
  access_token_spent: { text: 'The access token was used or revoked, or has expired.', retry: false },
  merchant_transaction_taken: { text: 'merchantTransactionId already used', retry: false },
  transaction_type_invalid: { text: 'Invalid transactionType for this call', retry: false },
  wallet_silent: { text: 'The wallet provider did not open a payment session. Nothing was charged.', retry: true },
  // literal
  payment_not_revocable: { text: 'unable to revoke access token with transaction in {detail} state', retry: false },
  payment_not_successful: {
    text: 'Only a payment that has ended with success can be refunded, collected or voided.',
    retry: false,
  },
  payment_not_closable: {
    text: 'Only a payment with an unanswered acquirer request can be closed.',
    retry: false,
  },
  transaction_not_closable: {
    text: 'Only a transaction that timed out on a terminal with an acquirer of its own can be closed, once.',
    retry: false,
  },
  payment_not_paused: { text: 'The payment is not paused.', retry: false },
  linked_payment_refused: { text: '{detail}', retry: false },
  outcome_unknown: { text: 'The outcome is not known yet. Read the payment later.', retry: false },
  account_shared: { text: 'A shared account cannot be closed.', retry: false },
  idempotency_key_reused: { text: 'This Idempotency-Key was used with a different request.', retry: false },
  signature_pending: { text: '{tid} is waiting for a signature check.', retry: true },
  terminal_busy: { text: '{tid} is busy. Please wait for the current request to finish.', retry: true },
  nothing_to_cancel: { text: 'The transaction can no longer be cancelled.', retry: false },
  // literal
  signature_too_late: {
    text: 'Unable to action the signature check. When required, signatures must be verified within 80 seconds.',
    retry: false,
  },
  nothing_to_repeat: { text: '{tid} has no transaction to repeat.', retry: false },
  terminal_silent: { text: 'No answer from {tid}. Check the PDQ before you try again.', retry: true },
  table_exists: { text: 'A table with this name already exists.', retry: false },
  too_many_tables: {
    text: 'The account has reached the limit of open tables. Delete settled ones.',
    retry: false,
  },
  table_amount_differs: { text: 'lastKnownAmount is not the stored amount.', retry: false },
  table_paid_differs: { text: 'lastKnownPaidAmount is not the stored amount.', retry: false },
  table_payment_under_way: {
    text: 'A payment for this table is under way at {tid}. Please try again when it has ended.',
    retry: true,
  },
  table_locked: { text: 'The table is locked.', retry: true },
  table_not_held: { text: 'The table is not locked by {tid}.', retry: false },
  table_overpaid: { text: 'The amount exceeds what is left to pay on the table.', retry: false },
  table_attempts_exhausted: { text: 'The table has reached the limit of payments.', retry: false },
  too_many_terminals: {
    text: 'The account has reached the limit of terminals. Remove one that is no longer used.',
    retry: false,
  },
  passkeys_exhausted: { text: 'A user has ten passkeys at most. Remove one first.', retry: false },
  last_owner: { text: '{field} is the last owner of the account. Make another user an owner first.', retry: false },
  already_exists: { text: '{field} is already in use.', retry: false },
  delivery_under_way: { text: 'The webhook is already queued or being sent.', retry: true },
  too_many_keys: {
    text: 'The account has reached the limit of keys. Revoke one that is no longer used.',
    retry: false,
  },
  too_many_secrets: {
    text: 'Too many older secrets are still valid. Wait until one expires.',
    retry: true,
  },
  too_many_links: {
    text: '{tid} has reached the limit of links. End them, or wait until one expires.',
    retry: true,
  },
  clock_in_use: { text: 'The clock cannot go back while a transaction or a report runs.', retry: true },
  screen_refuses: { text: 'The terminal does not accept this now.', retry: true },
  gateway_busy: { text: 'The gateway is busy. Nothing was started.', retry: true },
  store_unwritable: { text: 'The gateway cannot write to its store. Nothing was started.', retry: true },
  store_lost: {
    text: 'The gateway lost its store. Whether the request took effect is unknown: check before you repeat it.',
    retry: true,
  },
  gateway_stopping: { text: 'The gateway is stopping. Nothing was started.', retry: true },
} as const satisfies Record<string, { readonly text: string; readonly title?: string; readonly retry: boolean }>

export type RefusalCode = keyof typeof REFUSALS

/** Refusals of a field or a header, which say what is wrong with it and what is allowed. */
type FieldCode = 'field_invalid' | 'header_invalid' | 'online_field_invalid'

/** All other refusals. */
export type PlainCode = Exclude<RefusalCode, FieldCode>

interface Values {
  /** The invalid field or header, or the conflicting name. */
  readonly field?: string
  readonly tid?: TerminalId
  /** The transaction that waits for a signature (code `signature_pending`). */
  readonly requestId?: RequestId
  /** More information for the sentence. */
  readonly detail?: string
}

interface FieldRefusal extends Values {
  readonly code: FieldCode
  readonly field: string
  /** What is wrong, and what is allowed: sentences that the name of the field begins. */
  readonly detail: string
}

interface PlainRefusal extends Values {
  readonly code: PlainCode
}

/** A refusal with the values for its sentence. */
export type Refusal = FieldRefusal | PlainRefusal

/** The sentence of a refusal, with its values filled in. Callers choose some of them, so card numbers are masked. */
export function sentenceOf(refusal: Refusal): string {
  const sentence = REFUSALS[refusal.code].text
    .replace('{tid}', () => refusal.tid ?? '')
    .replace('{field}', () => refusal.field ?? '')
    .replace('{detail}', () => refusal.detail ?? '')
  return maskCardNumbers(sentence)
}
