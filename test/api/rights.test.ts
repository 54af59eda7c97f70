// test/api/rights.test.ts — who may do what: every operation of the management API and the sandbox, for every role and for API
// keys; and what users change is in the audit log.
import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'vitest'
import type { Operation } from '../../src/api/operation.ts'
import { rightFor } from '../../src/api/people/right-for.ts'
import { mayDo, RIGHTS, ROLES } from '../../src/domain/people/roles.ts'
import { API_KEY, openTown, type Reply, type Town } from '../support/console-user.ts'
import { ALL_OPERATIONS } from '../support/operations.ts'
import { basic } from '../support/till.ts'

const OPERATIONS = ALL_OPERATIONS.filter(
  ({ area, auth }) => auth === 'basic' && (area === 'management' || area === 'sandbox'),
)

/** Nothing has these names, and an empty body is wrong for most: what is allowed is refused for another reason, or does little. */
const addressOf = ({ path }: Operation) => path.replaceAll(/\{\w+\}/g, 'nothing-has-this-name')
const bodyOf = ({ method }: Operation) => (method === 'GET' ? undefined : {})
/** A stream has no end, and the others end the session that asks. */
const ENDS_SESSIONS = new Set(['signOut'])

test('what each role may do', () => {
  deepEqual(Object.fromEntries(ROLES.map(role => [role, RIGHTS.filter(right => mayDo(role, right))])), {
    owner: ['read', 'operate', 'configure', 'own'],
    developer: ['read', 'operate', 'configure'],
    till_staff: ['read', 'operate'],
    read_only: ['read'],
  })
})

test('every operation says which right it needs, and those that change something need more than to read', () => {
  ok(OPERATIONS.length > 60)
  const own = new Set([
    ...['signOut', 'setOwnPassword', 'endSession', 'setOneTimeCodes', 'removeOneTimeCodes'],
    ...['addPasskey', 'removePasskey'],
  ])
  for (const operation of OPERATIONS) {
    const right = rightFor(operation)
    if (operation.method !== 'GET' && !own.has(operation.name)) ok(right !== 'read', operation.name)
  }
  deepEqual(
    OPERATIONS.filter(operation => rightFor(operation) === 'own').map(({ name }) => name),
    [
      ...['closeTransaction', 'closePayment'],
      ...['listUsers', 'addUser', 'changeUser', 'setUserPassword', 'endUser', 'removeFactors', 'listAudit'],
      'closeTestAccount',
    ],
  )
})

test.each(ROLES)('the role %s may call what its rights allow, and nothing else', async role => {
  const { signIn } = await openTown([role])
  const session = await signIn(role)
  for (const operation of OPERATIONS) {
    if (ENDS_SESSIONS.has(operation.name)) continue
    const { status, json } = await session.ask(operation.method, addressOf(operation), bodyOf(operation))
    const about = `${role} ${operation.name}: ${status} ${JSON.stringify(json)}`
    if (mayDo(role, rightFor(operation))) ok(status !== 401 && status !== 403, about)
    else deepEqual([status, json['code']], [403, 'right_missing'], about)
  }
})

test('an API key may do what it could before, and nothing that is for people', async () => {
  const { ask } = await openTown()
  const forPeople = OPERATIONS.filter(({ peopleOnly }) => peopleOnly === true)
  ok(forPeople.length >= 11)
  for (const operation of OPERATIONS.filter(({ name }) => name !== 'closeTestAccount')) {
    const headers = { authorization: basic(API_KEY) }
    const { status, json } = await ask(operation.method, addressOf(operation), bodyOf(operation), headers)
    const about = `${operation.name}: ${status} ${JSON.stringify(json)}`
    if (operation.peopleOnly === true) deepEqual([status, json['code']], [403, 'person_needed'], about)
    else ok(status !== 401 && status !== 403, about)
  }
})

test('an owner who is signed in may close a payment where no API key may', async () => {
  const { signIn, ask } = await openTown(['owner', 'developer'], { settings: { closingKey: 'of the command line' } })
  const path = '/api/payments/nothing/close'
  const body = { outcome: 'taken', operator: 'Ann', reason: 'seen' }
  const codes = [
    await ask('POST', path, body, { authorization: basic(API_KEY) }),
    await (await signIn('developer')).ask('POST', path, body),
    await (await signIn('owner')).ask('POST', path, body),
  ].map(({ json }) => json['code'])
  deepEqual(codes, ['command_line_only', 'right_missing', 'payment_unknown'])
})

interface Entry {
  readonly by: string
  readonly action: string
  readonly subject: Readonly<Record<string, string>>
  readonly status: number | null
  readonly refusal: string | null
  readonly requestId: string
}

const entriesOf = ({ json }: Reply) => json['entries'] as readonly Entry[]
const inShort = ({ by, action, subject, status, refusal }: Entry) => [by, action, subject, status, refusal]

async function changes({ signIn, attempt }: Town) {
  const owner = await signIn('owner')
  const developer = await signIn('developer')
  await attempt('developer', 'not the password at all')
  await attempt('a-password-in-the-wrong-field')
  await developer.ask('GET', '/api/transactions')
  await developer.ask('POST', '/sandbox/clock', { do: 'freeze' })
  await developer.ask('POST', '/api/users', {})
  await owner.ask('PATCH', '/api/users/developer', { role: 'till_staff' })
  const secret = `AaGZNnLwZW1v${'A'.repeat(40)}`
  const closed = await owner.ask('POST', `/api/payments/${secret}/close`, {})
  return { owner, developer, secret, closed }
}

test('what users change is noted with its outcome, and what they read is not', async () => {
  const town = await openTown(['owner', 'developer'])
  const { owner, developer, secret, closed } = await changes(town)
  const all = await owner.ask('GET', '/api/audit')
  const entries = entriesOf(all)
  const closing = entries[0]
  deepEqual(entries.slice(1).map(inShort), [
    ['owner', 'changeUser', { user: 'developer' }, 200, null],
    ['developer', 'moveClock', {}, 200, null],
    ['developer', 'signIn', {}, 401, 'sign_in_refused'],
    ['developer', 'signIn', {}, 200, null],
    ['owner', 'signIn', {}, 200, null],
  ])
  deepEqual(
    [closing?.action, closing?.status, closing?.requestId],
    ['closePayment', closed.status, closed.json['requestId']],
  )
  ok(!JSON.stringify(all.json).includes(secret), 'an access token is a secret')
  const ofDeveloper = entriesOf(await owner.ask('GET', '/api/audit?user=Developer&limit=2'))
  deepEqual(
    ofDeveloper.map(({ action }) => action),
    ['moveClock', 'signIn'],
  )
  equal((await developer.ask('GET', '/api/audit')).json['code'], 'right_missing')
})

test('what cannot be noted is not done', async () => {
  let broken = false
  const town = await openTown(['owner'], {
    store: store => ({
      ...store,
      commit: change =>
        broken && change.kind === 'audit-entry' ? Promise.reject(new Error('disk')) : store.commit(change),
    }),
  })
  const owner = await town.signIn('owner')
  broken = true
  equal((await owner.ask('POST', '/sandbox/clock', { do: 'freeze' })).status, 500)
  broken = false
  equal((await owner.ask('GET', '/sandbox/clock')).json['frozen'], false)
})
