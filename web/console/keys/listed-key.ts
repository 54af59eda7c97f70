// web/console/keys/listed-key.ts — an API key as the gateway lists it.

export interface ListedKey {
  readonly id: string
  readonly label: string
  /** Whose it is; null for nobody. */
  readonly user: string | null
  readonly madeBy: 'user' | 'command_line' | 'before_users'
  /** Null: not limited to any. */
  readonly areas: readonly string[] | null
  readonly terminals: readonly string[] | null
  readonly status: 'active' | 'ended' | 'revoked'
  readonly createdAt: string
}

/** Areas of keys, for people. */
export const AREAS: Readonly<Record<string, string>> = {
  counter: 'Counter',
  tables: 'Tables',
  online: 'Online payments',
  management: 'Management',
  sandbox: 'Sandbox',
}
