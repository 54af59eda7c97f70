// src/api/people/signing-in.ts — what signing in by password and by passkey have in common: the audit log, and the answer.
import type { SignedIn } from '../../services/people/sessions.ts'
import { type Answer, UNCACHED } from '../answer.ts'
import type { RequestContext } from '../operation.ts'
import { cookiesOf, isSecure } from './session-cookie.ts'
import { signedIn } from './signed-in.ts'

/** Answers with a new session. */
export function welcome({ api, requestId }: RequestContext, found: SignedIn, origin: string): Answer {
  const { account, user, session, secret } = found
  api.log.info({ request: requestId, account: account.id, user: user.id, session: session.id }, 'user signed in')
  const cookies = cookiesOf({ account: account.id, id: session.id, secret }, isSecure(origin))
  return { status: 200, body: signedIn(found), headers: UNCACHED, cookies }
}

/** Attempts by a name that does not exist are not noted: somebody may have typed a password there. */
export async function auditIfKnown(
  { api, requestId }: RequestContext,
  account: string,
  user: string,
  action: 'signIn' | 'signInByPasskey' = 'signIn',
) {
  const found = await api.people.users.find(account, user)
  if (found === null) return async () => {}
  return api.people.audit.begin(account, { by: user, session: null, action, subject: {}, requestId })
}
