// src/services/people/audit.ts — keeps the audit log: what people do is noted before it is done.
import type { MerchantAccountId } from '../../domain/ids.ts'
import type { AuditEntry, AuditOutcome } from '../../domain/people/audit-entry.ts'
import type { Engine } from '../../engine/engine.ts'
import { AUDIT_ENTRY } from '../../engine/people-machines.ts'
import type { Clock } from '../../engine/ports/clock.ts'
import type { Random } from '../../engine/ports/random.ts'

export type AuditedAction = Pick<AuditEntry, 'by' | 'session' | 'action' | 'subject' | 'requestId'>

export interface Audit {
  /**
   * Notes an action, durably once it resolves. Call the returned function with what came of it.
   * @throws Fault of the store; then the action must not be done
   */
  begin(account: MerchantAccountId, action: AuditedAction): Promise<(outcome: AuditOutcome) => Promise<void>>
}

export interface AuditParts {
  readonly engine: Engine
  readonly clock: Clock
  readonly random: Random
}

export function createAudit({ engine, clock, random }: AuditParts): Audit {
  return {
    async begin(account, action) {
      const id = random.uuid()
      const begun = { type: 'begin', id, merchantAccount: account, ...action, now: clock.now() } as const
      const executed = await engine.execute(AUDIT_ENTRY, { account, id }, begun, { isNew: true })
      if (!('record' in executed)) throw new Error('a new entry of the audit log was refused')
      return async outcome => void (await engine.execute(AUDIT_ENTRY, { account, id }, { type: 'end', outcome }))
    },
  }
}
