// test/recorded/coverage.test.ts — the recordings cover every operation, version, message and refusal.
import { deepEqual, ok } from 'node:assert/strict'
import { test } from 'vitest'
import { AREAS } from './areas.ts'
import { isMeant, reworded } from './compare.ts'
import { DIFFERENCES } from './differences.ts'
import { type KnownOperation, knownMessages, knownOperations, knownRefusals, knownVersions } from './gateway.ts'
import { isList, isObject, type Json, type JsonObject } from './json.ts'
import { nameOf, readRecording } from './recordings.ts'

/** Operations about users, with their statuses. */
const OF_PEOPLE: Readonly<Record<string, number>> = {
  ...{ signIn: 200, getSession: 200, signOut: 204, setOwnPassword: 204, listSessions: 200, endSession: 204 },
  ...{ getOneTimeCodes: 200, setOneTimeCodes: 200, removeOneTimeCodes: 204 },
  ...{ listPasskeys: 200, getPasskeyCreation: 200, addPasskey: 201, removePasskey: 204 },
  ...{ getPasskeyRequest: 200, signInByPasskey: 200 },
  ...{ listUsers: 200, addUser: 201, changeUser: 200, setUserPassword: 204, endUser: 204, removeFactors: 204 },
  ...{ listAudit: 200, listKeys: 200, createKey: 201, createTillKey: 201, revokeKey: 204 },
}
const PEOPLE_TESTED =
  'Newer than the recordings; test/api/sessions.test.ts, factors.test.ts, rights.test.ts and keys have it.'

/** Operations on links to terminals, with their statuses. */
const OF_LINKS: Readonly<Record<string, number>> = {
  openTerminalLink: 201,
  endTerminalLinks: 204,
  getTerminalPage: 200,
}
const LINKS_TESTED = 'Newer than the recordings; test/api/terminal-links.test.ts has it.'

const METHOD_TESTED = 'Newer than the recordings; test/peer/device-data.test.ts has it.'
const SCHEMES_TESTED = 'Newer than the recordings; test/peer/emv-payments.test.ts has it.'
const NOTIFICATIONS_TESTED = 'Newer than the recordings; test/cli/nexo.test.ts has it.'
const OPERATIONS_TESTED = 'Newer than the recordings; test/api/online/payment-operations.test.ts has it.'

const CLOSING_TESTED = 'Newer than the recordings; test/api/late-outcome.test.ts has it.'

/** Refusals that no recording covers, each with its reason. */
const NOT_SHOWN: Readonly<Record<string, string>> = {
  account_unknown: 'Only commands at the command line name an account; a request has the one of its key.',
  gateway_stopping: 'A gateway that stops closes its connections before another request can come.',
  store_unwritable: 'Needs a disk that fails; test/api/answers.test.ts has it in every area.',
  store_lost: 'The same.',
  linked_payment_refused: 'Answered as 200 with status 30 and the reason in `message`, which is recorded.',
  table_overpaid: 'The keys of a terminal offer no more than is open, and only two at the same moment could pass that.',
  account_shared: 'Newer than the recordings; test/api/closing-accounts.test.ts has it.',
  command_line_only: 'Newer than the recordings; test/api/online/closing.test.ts has it.',
  jwt_claim_invalid: 'Newer than the recordings; test/api/online/jwt.test.ts has it.',
  payment_not_successful: OPERATIONS_TESTED,
  transaction_not_closable: CLOSING_TESTED,
  filter_invalid: 'Newer than the recordings; test/api/list-filters.test.ts has it.',
  too_many_terminals: 'Newer than the recordings; test/api/sandbox.test.ts has it.',
  ...Object.fromEntries(['link_ended', 'link_insufficient', 'too_many_links'].map(code => [code, LINKS_TESTED])),
  ...Object.fromEntries(
    [
      ...['sign_in_refused', 'signed_out', 'page_token_wrong', 'person_needed', 'right_missing'],
      ...['code_needed', 'code_refused', 'passkey_refused', 'passkey_unknown', 'passkeys_exhausted'],
      ...['key_area', 'key_terminals'],
    ].map(code => [code, PEOPLE_TESTED]),
  ),
  user_unknown: 'The same.',
  session_unknown: 'The same.',
  last_owner: 'The same.',
}

interface Shown {
  readonly name: string
  readonly exchange: JsonObject
}

const SHOWN: readonly Shown[] = Object.keys(AREAS).flatMap(area =>
  Object.entries(readRecording(area)).flatMap(([scenario, exchanges]) =>
    exchanges.map((exchange, index) => ({ name: nameOf(area, scenario, index, exchange), exchange })),
  ),
)

/** An HTTP exchange and its operation. */
interface Request {
  readonly operation: string
  readonly path: string
  readonly by: string
  readonly status: number
  readonly mediaType: string
}

const REQUESTS: readonly Request[] = SHOWN.flatMap(({ exchange }) => requestIn(exchange) ?? [])

function requestIn(exchange: JsonObject): Request | null {
  const [, verb = '', address = ''] =
    /^(GET|POST|PUT|PATCH|DELETE|CONNECT) (.+)$/.exec(String(exchange['exchange'])) ?? []
  const { answer } = exchange
  if (verb === '' || !isObject(answer)) return null
  const path = address.replace(/[?#].*$/s, '')
  const operation = operationAt(verb === 'CONNECT' ? 'GET' : verb, path)
  if (operation === null) return null
  const headers = isObject(answer['headers']) ? answer['headers'] : {}
  return {
    ...{ operation: operation.name, path, by: String(exchange['by']), status: Number(answer['status']) },
    mediaType: String(headers['content-type'] ?? ''),
  }
}

/** Operation of a request. Of several matches, the one with the most literal path. */
function operationAt(method: string, path: string): KnownOperation | null {
  const found = knownOperations()
    .filter(operation => operation.method === method)
    .flatMap(operation => operation.paths.map(pattern => ({ operation, pattern })))
    .filter(({ pattern }) =>
      new RegExp(`^${pattern.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path),
    )
  const [best] = found.toSorted((a, b) => a.pattern.split('{').length - b.pattern.split('{').length)
  return best?.operation ?? null
}

const isSuccess = (status: number): boolean => status < 400

test('the recordings are read', () => {
  ok(REQUESTS.length > 500)
})

/** Operations without a successful exchange, each with its reason. */
const NOT_SUCCESSFUL: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ['getGuides', 'getGuide', 'getDecision', 'getGuideFile'].map(name => [
      name,
      'Newer; test/api/guides.test.ts has it.',
    ]),
  ),
  getTwinScript: 'Newer than the recordings; test/browser/build.test.ts has it.',
  getTwinTestScript: 'The same.',
  getConsole: 'Newer than the recordings; test/browser/console.test.ts has it.',
  closeTransaction: CLOSING_TESTED,
  closeTestAccount: 'Newer than the recordings; test/api/closing-accounts.test.ts has it.',
  addPaymentOperation: OPERATIONS_TESTED,
  listRequests: 'Newer than the recordings; test/api/requests.test.ts has it.',
  goToIssuer: SCHEMES_TESTED,
  takeTerminalNotification: NOTIFICATIONS_TESTED,
  sendDeviceData: METHOD_TESTED,
  endDeviceData: METHOD_TESTED,
  setMerchantHosts: 'Newer than the recordings; test/api/online/merchant-hosts.test.ts has it.',
  ...Object.fromEntries(Object.keys(OF_PEOPLE).map(name => [name, PEOPLE_TESTED])),
  ...Object.fromEntries(Object.keys(OF_LINKS).map(name => [name, LINKS_TESTED])),
}

test('every operation has a successful recorded exchange', () => {
  const successful = new Set(REQUESTS.filter(({ status }) => isSuccess(status)).map(({ operation }) => operation))
  deepEqual(
    knownOperations()
      .map(({ name }) => name)
      .filter(name => !successful.has(name) && !Object.hasOwn(NOT_SUCCESSFUL, name)),
    [],
  )
})

/** Statuses that no recording covers, each with its reason. */
const STATUSES_NOT_SHOWN: Readonly<Record<string, string>> = {
  'sendDeviceData 200': METHOD_TESTED,
  'endDeviceData 200': METHOD_TESTED,
  'goToIssuer 200': SCHEMES_TESTED,
  'setMerchantHosts 200': 'Newer than the recordings; test/api/online/merchant-hosts.test.ts has it.',
  'closeTransaction 200': CLOSING_TESTED,
  'addPaymentOperation 200': OPERATIONS_TESTED,
  'listRequests 200': 'Newer than the recordings; test/api/requests.test.ts has it.',
  ...Object.fromEntries(Object.entries(OF_PEOPLE).map(([name, status]) => [`${name} ${status}`, PEOPLE_TESTED])),
  'isReady 503': 'A gateway that is put together in a test has nothing that could keep it from being ready.',
  'takeTerminalNotification 200': NOTIFICATIONS_TESTED,
  ...Object.fromEntries(
    ['getGuides', 'getGuide', 'getDecision', 'getGuideFile'].flatMap(name =>
      ['200', '304'].map(status => [`${name} ${status}`, 'Newer; test/api/guides.test.ts has it.']),
    ),
  ),
  'getTwinScript 200': 'Newer than the recordings; test/browser/build.test.ts has it.',
  'getTwinTestScript 200': 'The same.',
  'closeTestAccount 204': 'The same; test/api/closing-accounts.test.ts has it.',
  ...Object.fromEntries(Object.entries(OF_LINKS).map(([name, status]) => [`${name} ${status}`, LINKS_TESTED])),
  'getConsole 200': 'The same; test/browser/console.test.ts has it.',
}

test('every operation has a recorded exchange for each of its declared statuses', () => {
  const shown = new Set(REQUESTS.map(({ operation, status }) => `${operation} ${status}`))
  const missing = knownOperations().flatMap(({ name, statuses }) =>
    statuses.map(status => `${name} ${status}`).filter(each => !shown.has(each)),
  )
  deepEqual(missing, Object.keys(STATUSES_NOT_SHOWN))
})

test('every versioned operation is recorded in each version, without a version, and under each prefix', () => {
  const sockets = new Set(['connectTill', 'connectTableTill', 'callJsonRpc'])
  const missing = knownOperations()
    .filter(({ name, versioned }) => versioned && !sockets.has(name))
    .flatMap(({ name, paths }) => {
      const about = REQUESTS.filter(({ operation, status }) => operation === name && isSuccess(status))
      const inVersions = [...knownVersions(), 'none'].filter(
        version => !about.some(({ by }) => by === `till ${version}`),
      )
      const atPrefixes = paths.map(prefixOf).filter(prefix => !about.some(({ path }) => prefixOf(path) === prefix))
      return [...inVersions, ...atPrefixes].map(what => `${name} ${what}`)
    })
  deepEqual(missing, [])
})

function prefixOf(path: string): string {
  return path.split('/', 2).join('/')
}

test('every version of the terminal interface has a recorded answer', () => {
  const types = new Set(REQUESTS.map(({ mediaType }) => mediaType))
  deepEqual(
    knownVersions().filter(version => !types.has(`application/connect.${version}+json`)),
    [],
  )
})

test('every WebSocket message is recorded in each version', () => {
  const missing = knownMessages().flatMap(({ version, methods, pushes }) => {
    const lines = linesOf(version)
    const said = (from: 'FROM' | 'TO') =>
      new Set(lines.filter(line => line.startsWith(from)).map(line => line.slice(from.length + 1)))
    return [
      ...methods.filter(method => !said('FROM').has(method)).map(method => `${version} ${method}`),
      ...pushes.filter(push => !said('TO').has(push)).map(push => `${version} ${push}`),
    ]
  })
  deepEqual(missing, [])
})

/** `FROM sale`, `TO terminalNotification`: the methods of messages in the scenarios of a version. */
function linesOf(version: string): readonly string[] {
  return SHOWN.filter(({ name }) => name.includes(`, ${version}/`)).flatMap(({ exchange }) => {
    const [, from] = /^(FROM|TO) /.exec(String(exchange['exchange'])) ?? []
    const { message } = exchange
    return from !== undefined && isObject(message) && 'method' in message ? [`${from} ${message['method']}`] : []
  })
}

test('every refusal is recorded', () => {
  const texts = SHOWN.flatMap(({ name, exchange }) =>
    textsIn(exchange['answer'] ?? exchange['message'] ?? null, name, 'answer'),
  )
  const shown = new Set([...new Set(texts)].flatMap(refusalIn))
  const missing = knownRefusals()
    .map(({ code }) => code)
    .filter(code => !shown.has(code))
  deepEqual(missing.toSorted(), Object.keys(NOT_SHOWN).toSorted())
})

/** All texts in an answer, with intended differences applied. */
function textsIn(value: Json, exchange: string, path: string): readonly string[] {
  if (typeof value === 'string') return [asMeant(value, exchange, path)]
  if (isList(value)) return value.flatMap((each, index) => textsIn(each, exchange, `${path}.${index}`))
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([name, each]) => textsIn(each, exchange, `${path}.${name}`))
}

function asMeant(recorded: string, exchange: string, path: string): string {
  return DIFFERENCES.reduce((text, difference) => {
    const { recorded: old, now: fresh } = difference
    if (typeof old !== 'string' || typeof fresh !== 'string') return text
    const now = reworded(difference, text) ?? text.replaceAll(old, fresh)
    return now !== text && isMeant({ exchange, path, recorded: text, now }, difference) ? now : text
  }, recorded)
}

/** Patterns of refusal texts. A text without fixed words is found by its code instead. */
const BY_SENTENCE = knownRefusals()
  .map(({ code, text }) => ({ code, pattern: patternOf(text), fixed: text.replaceAll(/\{\w+\}/g, '').trim().length }))
  .toSorted((a, b) => b.fixed - a.fixed)

const CODES = new Set(knownRefusals().map(({ code }) => code))
/** Longer than any refusal: pages and scripts are none. */
const LONGEST_REFUSAL = 2_000

/** The refusal with this text or code; of several, the most specific. */
function refusalIn(text: string): readonly string[] {
  if (CODES.has(text)) return [text]
  if (text.length > LONGEST_REFUSAL) return []
  const found = BY_SENTENCE.find(({ pattern, fixed }) => fixed > 0 && pattern.test(text))
  return found === undefined ? [] : [found.code]
}

function patternOf(text: string): RegExp {
  const parts = text.split(/\{\w+\}/).map(part => part.replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${parts.join('.+')}$`, 's')
}
