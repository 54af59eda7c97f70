// src/domain/people/roles.ts — what the users of an account may do.

export const ROLES = ['owner', 'developer', 'till_staff', 'read_only'] as const
export type Role = (typeof ROLES)[number]

/**
 * `read`: see what the account has done. `operate`: take payments, and press simulated terminals. `configure`: keys, webhooks and the
 * controls of a sandbox. `own`: users, the audit log, and closing an unresolved payment.
 */
export const RIGHTS = ['read', 'operate', 'configure', 'own'] as const
export type Right = (typeof RIGHTS)[number]

const RIGHTS_OF: Readonly<Record<Role, readonly Right[]>> = {
  owner: RIGHTS,
  developer: ['read', 'operate', 'configure'],
  till_staff: ['read', 'operate'],
  read_only: ['read'],
}

export function mayDo(role: Role, right: Right): boolean {
  return RIGHTS_OF[role].includes(right)
}
