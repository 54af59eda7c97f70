// src/config/setting.ts — the type of a setting.
import type { Kind } from './kinds.ts'

export interface Setting {
  /** Environment variable. */
  readonly env: string
  /** Name of the command-line option, if there is one. An option overrides the environment. */
  readonly option?: string
  readonly kind: Kind<unknown>
  /** As written in the environment; null when not set. */
  readonly default: string | null
  readonly unit?: 'ms' | 'bytes' | 'days'
  /** Description in one line. */
  readonly meaning: string
  /** Set when the value must not be shown. */
  readonly secret?: true
}
