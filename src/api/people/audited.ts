// src/api/people/audited.ts — notes what users change in the audit log.
import type { AuditOutcome } from '../../domain/people/audit-entry.ts'
import { ANSWERS } from '../answers.ts'
import type { AccountRequestContext, Answer, Operation } from '../operation.ts'
import { shownParams } from '../requests/shown-params.ts'

/** Runs an operation. What a user changes is noted before it is done, and what came of it afterwards. */
export async function audited(
  { name, method }: Pick<Operation, 'name' | 'method'>,
  { api, account, person, requestId }: AccountRequestContext,
  params: Readonly<Record<string, string>>,
  run: () => Answer | Promise<Answer>,
): Promise<Answer> {
  if (person === null || method === 'GET') return run()
  const { user, session } = person
  const subject = Object.fromEntries(Object.entries(shownParams(params)).map(([name, value]) => [name, String(value)]))
  const action = { by: user.id, session: session.id, action: name, subject, requestId }
  const end = await api.people.audit.begin(account.id, action)
  const note = (outcome: AuditOutcome) =>
    // The answer stands. The entry says that its outcome is not known.
    end(outcome).catch(error => api.log.error({ request: requestId, error: String(error) }, 'outcome not audited'))
  try {
    const answer = await run()
    await note(outcomeOf(answer))
    return answer
  } catch (error) {
    await note({ status: 500, refusal: null })
    throw error
  }
}

function outcomeOf(answer: Answer): AuditOutcome {
  if ('refused' in answer) return { status: ANSWERS[answer.refused.code].status, refusal: answer.refused.code }
  return { status: 'status' in answer ? answer.status : 0, refusal: null }
}
