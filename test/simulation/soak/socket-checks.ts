// test/simulation/soak/socket-checks.ts — compares the messages on a till's socket with the same records over REST.
import { deepEqual, equal, ok } from 'node:assert/strict'
import { isDeepStrictEqual } from 'node:util'
import type { TransactionBody } from '../../../src/api/transaction-body.ts'
import type { TerminalTransaction } from '../../../src/domain/counter/transaction.ts'
import type { Heard, Json } from '../../support/socket-till.ts'
import type { Till } from '../../support/till.ts'
import type { Asked, SocketClerk } from './socket-clerk.ts'

/** Requests that start a transaction, with notifications. */
const PERFORMING = new Set(['sale', 'refund', 'preAuth', 'completion', 'accountVerification'])

/** Errors of a duplicate that was started all the same: nothing to repeat, or no answer of the terminal. */
const AFTER_A_START = new Set([-32074, -32073])

/** Errors that are expected: the terminal is missing or busy, or there is nothing to cancel or to repeat. */
const EXPECTED_ERRORS = new Set([-32602, -32071, -32072, -32074, -32073])

/** On a socket this notification comes with the signature request; over REST it marks the decision (docs/websocket.md). */
const ASKED = 'SIGNATURE_VERIFICATION_IN_PROGRESS'

export interface SocketFigures {
  readonly started: number
  readonly busy: number
  /** Results of ended reports. */
  readonly reports: readonly Json[]
}

/** Checks one till against all transactions (oldest first). `rest`: reads them over REST. */
export async function checkSocket(
  clerk: SocketClerk,
  records: readonly TerminalTransaction[],
  rest: Till,
): Promise<SocketFigures> {
  const answers = answersOf(clerk)
  const mine = groupBy(
    records.filter(({ partner }) => partner.installerId === clerk.name),
    laneOf,
  )
  const asked = groupBy(
    clerk.asked.filter(({ id, method }) => hasStarted(method, answers.get(id)!)),
    ({ method, tid }) => `${method === 'duplicate' ? 'repeated' : 'performed'} ${tid}`,
  )
  const told = notificationsByTransaction(clerk)
  const questions = clerk.till.heard.filter(({ method }) => method === 'signatureVerificationRequest')
  equal([...told.values()].flat(2).filter(value => value === ASKED).length, questions.length, clerk.name)
  deepEqual(
    [...mine.keys()].filter(lane => !asked.has(lane)),
    [],
  )
  for (const [lane, requests] of asked) {
    const transactions = await bodiesOf(rest, mine.get(lane) ?? [])
    const heard = told.get(requests[0]!.tid) ?? []
    const toldOf = requests.map(({ id }) => answers.get(id)!)
    if (lane.startsWith('performed')) {
      equal(transactions.length, requests.length, `${clerk.name} at ${lane}`)
      equal(heard.length, requests.length, `${clerk.name} at ${lane}`)
      for (const [index, body] of transactions.entries()) samePayment(toldOf[index]!, body, heard[index]!)
    } else {
      const anybodys = records.filter(record => laneOf(record) === lane)
      sameRepetitions(toldOf, transactions, await bodiesOf(rest, anybodys), `${clerk.name} at ${lane}`)
    }
  }
  return {
    started: [...mine.values()].flat().length,
    reports: clerk.asked.flatMap(({ id, method }) => {
      const result = method === 'report' ? answers.get(id)?.result : undefined
      return result === undefined ? [] : [result]
    }),
    busy: [...answers.values()].filter(({ error }) => error?.code === -32071).length,
  }
}

/** The answers by request: exactly one each, and none without a request. */
function answersOf({ asked, till }: SocketClerk): ReadonlyMap<number, Heard> {
  const answers = new Map<number, Heard>()
  for (const message of till.heard) {
    if (message.method !== undefined) continue
    ok(message.id !== undefined, JSON.stringify(message))
    ok(!answers.has(message.id), `${message.id} was answered twice`)
    answers.set(message.id, message)
    if (message.error !== undefined) ok(EXPECTED_ERRORS.has(message.error.code), JSON.stringify(message))
  }
  deepEqual(
    [...answers.keys()].toSorted((one, other) => one - other),
    asked.map(({ id }) => id),
  )
  return answers
}

function hasStarted(method: Asked['method'], { error }: Heard): boolean {
  if (method === 'duplicate') return error === undefined || AFTER_A_START.has(error.code)
  return PERFORMING.has(method) && error === undefined
}

function laneOf({ request, tid }: TerminalTransaction): string {
  return `${request.transactionType === 'DUPLICATE' ? 'repeated' : 'performed'} ${tid}`
}

/** Notifications by terminal, split after each end of a transaction. */
function notificationsByTransaction({ till }: SocketClerk): ReadonlyMap<string, readonly (readonly string[])[]> {
  const told = new Map<string, string[][]>()
  for (const { method, params } of till.heard) {
    if (method !== 'terminalNotification') continue
    const tid = String(params?.['tid'])
    const all = told.get(tid) ?? [[]]
    told.set(tid, all)
    const value = String(params?.['notificationValue'])
    all.at(-1)?.push(value)
    if (value === 'TRANSACTION_FINISHED') all.push([])
  }
  for (const all of told.values()) deepEqual(all.pop(), [], 'heard of something that has not ended')
  return told
}

async function bodiesOf(rest: Till, records: readonly TerminalTransaction[]): Promise<readonly TransactionBody[]> {
  const bodies: TransactionBody[] = []
  for (const { tid, requestId } of records) {
    const reply = await rest.ask('GET', `/pac/terminals/${tid}/transactions/${requestId}`)
    equal(reply.status, 200, reply.text)
    bodies.push(reply.json as unknown as TransactionBody)
  }
  return bodies
}

/** Compares facts and notifications, except the one that differs. */
function samePayment({ result }: Heard, body: TransactionBody, heard: readonly string[]): void {
  const { requestId, location, notifications, cardHolderVerificationMethod, ...facts } = body
  const { tid, ...told } = result ?? {}
  deepEqual(told, facts, requestId)
  deepEqual(
    heard.filter(value => value !== ASKED),
    notifications.toReversed().filter(value => value !== ASKED),
    requestId,
  )
  // The till is asked once, when the signature is first shown, even if it is shown again after a cancel.
  const shownAt = heard.indexOf('SIGNATURE_VERIFICATION')
  const askedAt = [...heard.keys()].filter(index => heard[index] === ASKED)
  deepEqual(askedAt, shownAt === -1 ? [] : [shownAt + 1], requestId)
}

/**
 * Each answer to a duplicate matches its own transaction, in order; or, if the terminal was not asked again, an earlier
 * answer to any till.
 */
function sameRepetitions(
  answers: readonly Heard[],
  own: readonly TransactionBody[],
  anybodys: readonly TransactionBody[],
  where: string,
): void {
  const left = [...own]
  for (const answer of answers) {
    const [next] = left
    if (next !== undefined && repeats(answer, next)) left.shift()
    else ok(answer.result !== undefined && anybodys.some(body => repeats(answer, body)), where)
  }
  deepEqual(left, [], where)
}

function repeats({ result }: Heard, body: TransactionBody): boolean {
  // Nothing to repeat, or no answer: then REST has no type either, or the transaction timed out.
  if (result === undefined) return body.transactionType === undefined || body.transactionResult === 'TIMED_OUT'
  const { requestId, location, notifications, cardHolderVerificationMethod, userMessage, receiptLines, ...facts } = body
  const { tid, receiptLines: printed, ...told } = result
  return isDeepStrictEqual(told, facts) && isDeepStrictEqual(printed, { CUSTOMER: receiptLines?.CUSTOMER })
}

function groupBy<Item>(items: readonly Item[], nameOf: (item: Item) => string): ReadonlyMap<string, readonly Item[]> {
  const groups = new Map<string, Item[]>()
  for (const item of items) {
    const group = groups.get(nameOf(item)) ?? []
    groups.set(nameOf(item), group)
    group.push(item)
  }
  return groups
}
