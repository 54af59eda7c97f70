// src/api/versions/v2-to-v1.ts — maps REST v2 to v1. The differences: docs/versions.md.
import { NEWEST_NOTIFICATIONS } from '../../domain/counter/notifications.ts'
import { OLDER_MESSAGES } from '../../domain/counter/user-messages.ts'
import type { JsonObject } from '../read/json-body.ts'
import { booleanIn } from '../read/schema-reader.ts'
import { NEWEST_TYPES } from '../transaction-types.ts'
import { CAPABILITIES, olderVerification } from './older-words.ts'
import { only, renamed, withBody, without } from './reshape.ts'
import type { VersionMapping, WireAnswer } from './version-mapping.ts'

const REQUEST_FIELDS = ['transactionType', 'amount', 'currency']

/** Operations with filters, and the name of the list in their answers. */
const FILTERED: Readonly<Record<string, string>> = { listTerminals: 'terminals', listTables: 'tables' }

export const V1: VersionMapping = {
  deferredOperations: new Set(['cancelTransaction', 'answerSignature']),
  differences: {
    listTerminals:
      '`tpi` instead of `tid`; `capabilities` are listed, and can be filtered by; an invalid filter matches nothing.',
    getTerminal: '`tpi` instead of `tid`; `capabilities` are listed.',
    startTransaction: 'SALE, REFUND and DUPLICATE, with `amount` and `currency`; all other fields are ignored.',
    getTransaction:
      'No `userMessage`, and no notifications about cancels, paper and cashback; card verification UNKNOWN becomes NONE; ' +
      '`transactionType` is absent for types that v1 does not have.',
    cancelTransaction: 'Answered when the outcome is known: 204 if the transaction was cancelled, else 422.',
    answerSignature: '202 has a body, `{"messages":{"status":[…]}}`; a late decision gets 422.',
    startReport: 'As in v2.',
    getReport: '`tpi` instead of `tid`.',
    listTables: 'An invalid filter matches nothing.',
    createTable: 'The bill is named `receipt`; the newer name is accepted too.',
    listTableReports: '`tpi` instead of `tid`, also as a filter.',
    getTableReport: '`tpi` instead of `tid`.',
  },
  upgradeQuery(operation, query) {
    switch (operation) {
      case 'listTerminals':
        return terminalFilter(query)
      case 'listTableReports':
        return renamed(query, 'tpi', 'tid')
      case 'getTable':
        // Only 401, 404 and 500 are published for it, so an invalid value is ignored instead of refused.
        return booleanIn(query['receipt']) === null ? without(query, ['receipt']) : query
      default:
        return query
    }
  },
  upgrade: (operation, body) => (operation === 'startTransaction' ? transactionRequest(body) : body),
  downgrade(operation, answer) {
    if (answer.status >= 400) return refusal(operation, answer)
    const { status, body } = answer
    switch (operation) {
      case 'listTerminals':
        return withBody(answer, ({ terminals }) => ({ terminals: (terminals as JsonObject[]).map(terminal) }))
      case 'getTerminal':
        return withBody(answer, terminal)
      case 'getTransaction':
        return withBody(answer, transaction)
      case 'listTableReports':
        return withBody(answer, ({ reports }) => ({
          reports: (reports as JsonObject[]).map(report => renamed(report, 'tid', 'tpi')),
        }))
      case 'getReport':
      case 'getTableReport':
        return withBody(answer, report => renamed(report, 'tid', 'tpi'))
      case 'cancelTransaction':
        return status === 202 ? { ...answer, status: 204 } : answer
      case 'answerSignature':
        return body === undefined
          ? { ...answer, body: { messages: { status: [OLDER_MESSAGES.signature_taken] } } }
          : answer
      default:
        return answer
    }
  },
}

/** Types that v1 does not have are refused as unknown. Tills send amount and currency with a DUPLICATE. */
function transactionRequest(body: JsonObject): JsonObject {
  const type = body['transactionType']
  if (type === 'DUPLICATE') return { transactionType: type }
  const request = only(body, REQUEST_FIELDS)
  // Not left out: the refusal says that the type is unknown, not missing.
  return NEWEST_TYPES.has(type) ? { ...request, transactionType: 'UNKNOWN' } : request
}

/** An unknown capability matches no terminal. It is turned into a status that no terminal has. */
function terminalFilter(query: JsonObject): JsonObject {
  const { capabilities, ...rest } = query
  const known: readonly string[] = CAPABILITIES
  const requested = capabilitiesIn(capabilities)
  return requested?.every(each => known.includes(each)) ? rest : { ...rest, status: 'NO_SUCH_CAPABILITY' }
}

/** Reads a comma-separated list or a JSON array of texts. Null when it is neither. */
function capabilitiesIn(sent: unknown): readonly string[] | null {
  const text = (Array.isArray(sent) ? sent.join(',') : String(sent ?? '')).trim()
  if (text === '') return []
  if (!text.startsWith('[')) return text.split(',').map(word => word.trim())
  try {
    const list: unknown = JSON.parse(text)
    return Array.isArray(list) ? list.map(String) : null
  } catch {
    return null
  }
}

function terminal(body: JsonObject): JsonObject {
  const { tid, location, ...rest } = body
  return { tpi: tid, ...rest, capabilities: [...CAPABILITIES], location }
}

function transaction(body: JsonObject): JsonObject {
  const isNewer = NEWEST_TYPES.has(body['transactionType'])
  const members = without(body, isNewer ? ['userMessage', 'transactionType'] : ['userMessage'])
  return Object.fromEntries(Object.entries(members).map(([name, value]) => [name, olderValue(name, value)]))
}

function olderValue(name: string, value: unknown): unknown {
  switch (name) {
    case 'notifications':
      return (value as readonly string[]).filter(each => !NEWEST_NOTIFICATIONS.has(each))
    case 'cardholderVerificationMethod':
    case 'cardHolderVerificationMethod':
      return olderVerification(value)
    default:
      return value
  }
}

/** Error bodies are `{messages: {error: […]}}`. */
function refusal(operation: string, answer: WireAnswer): WireAnswer {
  // An invalid filter is not an error in v1; it matches nothing.
  const listed = FILTERED[operation]
  if (listed !== undefined && answer.status === 422) return { status: 200, body: { [listed]: [] } }
  const translated = withBody(answer, ({ userMessage: _, messages, ...rest }) => ({
    messages: { error: (messages as readonly string[]).map(withoutNewestTypes) },
    ...rest,
  }))
  // The outcome of the cancel is not known in time. v1 has 422 only for a cancel without success.
  return operation === 'cancelTransaction' && answer.status === 504 ? { ...translated, status: 422 } : translated
}

/** A refusal names only types that this version has. */
function withoutNewestTypes(message: string): string {
  return [...NEWEST_TYPES].reduce<string>((text, type) => text.replace(`, ${type}`, ''), message)
}
