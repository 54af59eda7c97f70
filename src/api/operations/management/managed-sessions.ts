// src/api/operations/management/managed-sessions.ts — management API: users sign in and out, and end sessions. ADR 77.
import { type Static, Type } from 'typebox'
import { mayDo } from '../../../domain/people/roles.ts'
import { endOf, type Session } from '../../../domain/people/session.ts'
import type { Refusal } from '../../../domain/refusals.ts'
import { UNCACHED } from '../../answer.ts'
import { utcTimeOf } from '../../local-time.ts'
import { accountOperation, openOperation } from '../../operation.ts'
import { refusalOfPassword } from '../../people/password-check.ts'
import { type Person, signedInPerson } from '../../people/person.ts'
import { isFromConsole, originOf } from '../../people/session-caller.ts'
import { erasedCookies, isSecure } from '../../people/session-cookie.ts'
import { signedIn } from '../../people/signed-in.ts'
import { auditIfKnown, welcome } from '../../people/signing-in.ts'
import { EXAMPLE, TIME } from '../../schemas.ts'
import { ACCOUNT_NAME, CODE, PASSWORD, SIGNED_IN, SIGNED_IN_EXAMPLE, USER_NAME } from './people-schemas.ts'

export const signIn = openOperation({
  name: 'signIn',
  summary: 'Sign in to the console',
  description:
    'For pages of the console: the `Origin` must be the gateway’s own, or `TOLLGATE_CONSOLE_URL`. The session is a cookie that scripts cannot ' +
    'read. It ends an hour after its last use, and after twelve hours. Ten attempts within five minutes by one name.',
  tag: 'People',
  area: 'management',
  method: 'POST',
  path: '/api/session',
  body: {
    schema: Type.Object(
      {
        account: ACCOUNT_NAME,
        user: USER_NAME,
        password: Type.String({ minLength: 1, maxLength: 512, writeOnly: true }),
        code: Type.Optional(CODE),
      },
      { additionalProperties: false },
    ),
    examples: {
      'an owner': { account: 'harbour', user: 'ann', password: '…' },
      'with a one-time code': { account: 'harbour', user: 'ann', password: '…', code: '123456' },
    },
  },
  responses: { 200: { description: 'Signed in. The cookie is set.', schema: SIGNED_IN, example: SIGNED_IN_EXAMPLE } },
  refusals: [
    'origin_refused',
    'too_fast',
    'sign_in_refused',
    'code_needed',
    'code_refused',
    'field_invalid',
    'gateway_busy',
  ],
  async run(context, { body }) {
    const { api, request } = context
    const origin = originOf(api.settings.consoleUrl ?? context.base)
    if (!isFromConsole(request, origin, false)) return { refused: { code: 'origin_refused' } }
    const read = await body()
    if ('refused' in read) return read
    const { account, user, password, code = null } = read.value
    const name = user.toLowerCase()
    if (!api.maySignIn(`${account}\n${name}`)) return { refused: { code: 'too_fast' } }
    const agent = request.headers['user-agent'] ?? ''
    const end = await auditIfKnown(context, account, name)
    const found = await api.people.sessions.signIn({ account, user, password, code, agent })
    const refusal = 'refused' in found ? found.refused.code : null
    await end({ status: refusal === null ? 200 : 401, refusal })
    return 'refused' in found ? found : welcome(context, found, origin)
  },
})

export const getSession = accountOperation({
  name: 'getSession',
  summary: 'Read who is signed in',
  tag: 'People',
  area: 'management',
  method: 'GET',
  path: '/api/session',
  peopleOnly: true,
  responses: { 200: { description: 'The session of the cookie.', schema: SIGNED_IN, example: SIGNED_IN_EXAMPLE } },
  run: ({ person }) => ({ status: 200, body: signedIn(signedInPerson(person)), headers: UNCACHED }),
})

export const signOut = accountOperation({
  name: 'signOut',
  summary: 'Sign out',
  tag: 'People',
  area: 'management',
  method: 'DELETE',
  path: '/api/session',
  peopleOnly: true,
  right: 'read',
  responses: { 204: { description: 'The session is over.' } },
  async run({ api, account, person, base }) {
    await api.people.sessions.end(account.id, signedInPerson(person).session.id)
    return { status: 204, cookies: erasedCookies(isSecure(originOf(api.settings.consoleUrl ?? base))) }
  },
})

export const setOwnPassword = accountOperation({
  name: 'setOwnPassword',
  summary: 'Change your password',
  description: 'Ends all your sessions, this one too: sign in again.',
  tag: 'People',
  area: 'management',
  method: 'PUT',
  path: '/api/session/password',
  peopleOnly: true,
  right: 'read',
  body: {
    schema: Type.Object(
      {
        password: Type.String({ maxLength: 512, writeOnly: true, description: 'The one until now.' }),
        newPassword: PASSWORD,
      },
      { additionalProperties: false },
    ),
    examples: { change: { password: '…', newPassword: 'kettle lamp river' } },
  },
  responses: { 204: { description: 'The new password is in force.' } },
  refusals: ['too_fast', 'sign_in_refused', 'field_invalid', 'gateway_busy'],
  async run({ api, account, person }, { body }) {
    const read = await body()
    if ('refused' in read) return read
    const { user } = signedInPerson(person)
    const wrong = await refusalOfPassword(api, user, read.value.password)
    if (wrong !== null) return wrong
    const made = await api.people.users.setPassword(account.id, user.id, read.value.newPassword)
    return 'refused' in made ? renamed(made.refused) : { status: 204 }
  },
})

/** The refusal of a password, about the field of this operation. */
function renamed(refused: Refusal): { readonly refused: Refusal } {
  return { refused: refused.field === 'password' ? { ...refused, field: 'newPassword' } : refused }
}

const SESSION = Type.Object(
  {
    id: Type.String(),
    user: Type.String(),
    agent: Type.String({ description: 'What the browser called itself.' }),
    startedAt: TIME,
    usedAt: TIME,
    endsAt: TIME,
    current: Type.Boolean({ description: 'Whether it is the session of this request.' }),
  },
  { $id: 'Session' },
)

const SESSIONS_EXAMPLE: { readonly sessions: readonly Static<typeof SESSION>[] } = {
  sessions: [
    {
      ...{ id: EXAMPLE.requestId, user: 'ann', agent: 'Mozilla/5.0 (X11; Linux x86_64)', current: true },
      ...{
        startedAt: '2026-05-06T13:03:27.000Z',
        usedAt: '2026-05-06T13:03:27.000Z',
        endsAt: '2026-05-06T13:03:27.000Z',
      },
    },
  ],
}

export const listSessions = accountOperation({
  name: 'listSessions',
  summary: 'List your sessions; for owners, those of all users',
  tag: 'People',
  area: 'management',
  method: 'GET',
  path: '/api/sessions',
  peopleOnly: true,
  responses: {
    200: {
      description: 'Newest first.',
      schema: Type.Object({ sessions: Type.Array(SESSION) }),
      example: SESSIONS_EXAMPLE,
    },
  },
  async run({ api, account, person }) {
    const current = signedInPerson(person)
    const all = await api.people.sessions.list(account.id)
    const sessions = all.filter(session => maySee(current, session)).map(session => viewOf(session, current))
    return { status: 200, body: { sessions } }
  },
})

export const endSession = accountOperation({
  name: 'endSession',
  summary: 'End one of your sessions; for owners, one of anybody',
  tag: 'People',
  area: 'management',
  method: 'DELETE',
  path: '/api/sessions/{sessionId}',
  peopleOnly: true,
  right: 'read',
  responses: { 204: { description: 'The session is over, at once.' } },
  refusals: ['session_unknown'],
  async run({ api, account, person }, { params }) {
    const current = signedInPerson(person)
    const found = (await api.people.sessions.list(account.id)).find(({ id }) => id === params.sessionId)
    if (found === undefined || !maySee(current, found)) return { refused: { code: 'session_unknown' } }
    return (await api.people.sessions.end(account.id, found.id)) ?? { status: 204 }
  },
})

function maySee({ user }: Person, session: Session): boolean {
  return session.user === user.id || mayDo(user.role, 'own')
}

function viewOf(session: Session, current: Person): Static<typeof SESSION> {
  const { id, user, agent, startedAt, usedAt } = session
  return {
    ...{ id, user, agent, startedAt: utcTimeOf(startedAt), usedAt: utcTimeOf(usedAt) },
    endsAt: utcTimeOf(endOf(session)),
    current: id === current.session.id,
  }
}
