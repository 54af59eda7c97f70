// src/api/describe/openapi-words.ts — tags, parameters, headers and error examples shared by operations in the OpenAPI document.
import type { Refusal, RefusalCode } from '../../domain/refusals.ts'
import { browserError, connectError, problem, shopError } from '../answers.ts'
import { EXAMPLE } from '../schemas.ts'

export const TAGS = [
  { name: 'Pay at counter', description: 'The till starts a payment on a card terminal.' },
  { name: 'Pay at table', description: 'The till uploads its tables, and waiters take payments at the terminal.' },
  {
    name: 'Online payments',
    description: 'A web shop’s server creates access tokens and makes payments. Authenticated by JWT.',
  },
  { name: 'Browser', description: 'The payer’s browser pays. Authenticated by the access token in the path.' },
  { name: 'Transactions', description: 'Transactions on card terminals: state, verdict and history.' },
  { name: 'Payments', description: 'Online payments: state, verdict and history.' },
  { name: 'Events', description: 'All events of an account, in order.' },
  { name: 'Webhooks', description: 'Deliveries to the merchant’s server, and the secret that signs them.' },
  {
    name: 'People',
    description: 'Users of an account, who sign in to the console. Authenticated by a session, not by an API key.',
  },
  { name: 'Account', description: 'The account behind a key, and its terminals.' },
  { name: 'Sandbox', description: 'The simulator’s controls. In sandbox mode only.' },
  { name: 'System', description: 'For operators of the gateway.' },
  { name: 'Hosted form', description: 'Scripts for merchants’ pages, their hashes, and the documents in the frames.' },
  { name: 'Demo shop', description: 'Requests of the demo shop’s page to its server. In sandbox mode only.' },
  { name: 'Pages', description: 'HTML pages.' },
] as const

const EXAMPLE_TOKEN = 'AaGZNnLwZW1v'
const TEXT = { type: 'string' }

/** Path parameters. */
export const PATH_PARAMETERS = {
  tid: pathParameter('tid', 'Terminal id.', EXAMPLE.tid),
  requestId: pathParameter(
    'requestId',
    'Id of the transaction or report, from the answer that started it.',
    EXAMPLE.requestId,
  ),
  tableName: pathParameter('tableName', 'Name of an open table, percent-encoded.', 'Window 2'),
  tableId: pathParameter('tableId', 'Id of a table, from the list.', EXAMPLE.tableId),
  reportId: pathParameter('reportId', 'Id of a report, from the list.', EXAMPLE.requestId),
  token: pathParameter('token', 'Access token, percent-encoded.', EXAMPLE_TOKEN),
  keyId: pathParameter('keyId', 'Id of a key, from the list.', EXAMPLE.requestId),
  name: pathParameter('name', 'Name of a scenario or a snapshot.', 'long_wait'),
  user: pathParameter('user', 'Name of a user. Case does not matter.', 'ann'),
  sessionId: pathParameter('sessionId', 'Id of a session, from the list.', EXAMPLE.requestId),
  passkeyId: pathParameter('passkeyId', 'Id of a passkey, from the list.', 'KEDetxZcUfinhVi6Za5nZQ'),
  deliveryId: pathParameter('deliveryId', 'Id of a webhook delivery.', 'msg_5f0c1a523a0e4b579a0d5f6f2f2f9a10'),
  version: pathParameter('version', 'Version of the WebSocket interface.', 'v1'),
  order: pathParameter('order', 'Order number of the demo shop.', 'H-1B2C3D4E'),
  file: pathParameter('file', 'File name.', 'style.css'),
  guide: pathParameter('guide', 'Name of a guide.', 'sandbox'),
  decision: pathParameter('decision', 'Name of a decision record.', '0010-websocket'),
  account: pathParameter('account', 'Id of a merchant account.', 'test-1'),
}

/** Request headers. */
export const REQUEST_HEADERS = {
  'Software-House-Id': header(
    'Software-House-Id',
    'Id of the till’s software company. Required when the Accept header names v2.',
  ),
  'Installer-Id': header('Installer-Id', 'Id of the till’s installer. Required when the Accept header names v2.'),
  'Idempotency-Key': header(
    'Idempotency-Key',
    'Key of this request: 1 to 255 visible ASCII characters, unique within the account for seven days.',
  ),
  'Tollgate-Scenario': header(
    'Tollgate-Scenario',
    'Sandbox mode only: name of the scenario to play, with faults to add, such as `declined+slow_acquirer`.',
  ),
  'If-None-Match': header('If-None-Match', 'ETag of the last answer received.'),
  Prefer: header(
    'Prefer',
    '`wait=30`: with If-None-Match, answer at the next change, or after this many seconds (60 at most).',
  ),
  'Tollgate-Closing-Key': header(
    'Tollgate-Closing-Key',
    'Sent by `tollgate payments close`. Required with `TOLLGATE_CLOSE_PAYMENTS=command-line`.',
  ),
  'Last-Event-ID': header('Last-Event-ID', 'Cursor of the last event received. Browsers send it when they reconnect.'),
}

/** Answer headers. */
export const HEADERS = {
  'X-Request-Id': { description: 'Id of this request in the log. A valid one in the request is kept.', schema: TEXT },
  ETag: { description: 'Strong; changes with the answer.', schema: TEXT },
  Location: { description: 'Address of what was started or created.', schema: { type: 'string', format: 'uri' } },
  'Idempotency-Replayed': { description: '`true` when this repeats the first answer.', schema: TEXT },
  'Preference-Applied': { description: 'The wait that applies.', schema: TEXT },
  'Retry-After': { description: 'Seconds to wait before a retry.', schema: { type: 'integer' } },
}

/** Example body of each refusal, by area. */
export const ERROR_EXAMPLES: Readonly<
  Record<'connect' | 'shop' | 'browser' | 'management', (code: RefusalCode) => object | string>
> = {
  connect: code => connectError(refusal(code), code === 'signature_pending' ? EXAMPLE.location : undefined),
  shop: code => shopError(refusal(code)),
  browser: code => browserError(refusal(code)),
  management: code => problem(refusal(code), '0b9d1c1e-5a4e-4f0e-8a55-2d4c3f1f8a10'),
}

const DETAILS: Readonly<Partial<Record<RefusalCode, string>>> = {
  field_invalid: 'is zero. It must be a whole number from 1 to 99999999 in minor units: 25.99 is 2599.',
  online_field_invalid:
    'is zero. It must be a whole number from 1 to 9999999999999 in minor units of GBP: 25.99 is 2599.',
  header_invalid: 'is not valid. It must be 1 to 255 visible ASCII characters.',
  scenario_unplayable: 'There is no scenario named "aproved".',
}

function refusal(code: RefusalCode): Refusal {
  const field = code === 'header_invalid' ? 'Idempotency-Key' : code === 'already_exists' ? EXAMPLE.tid : 'amount'
  return { code, tid: EXAMPLE.tid, field, detail: DETAILS[code] ?? '' } as Refusal
}

function pathParameter(name: string, description: string, example: string) {
  return { name, in: 'path', required: true, description, schema: TEXT, example }
}

function header(name: string, description: string) {
  return { name, in: 'header', required: false, description, schema: TEXT }
}
