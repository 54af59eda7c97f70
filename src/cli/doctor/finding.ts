// src/cli/doctor/finding.ts — the result of one check of the doctor.

export interface Finding {
  /** Name of the check. */
  readonly check: string
  readonly ok: boolean
  /** Set when it works but needs attention. */
  readonly warning?: true
  /** What was found; for a problem, also what to do. */
  readonly told: string
}

export function fine(check: string, told: string): Finding {
  return { check, ok: true, told }
}

export function warning(check: string, told: string): Finding {
  return { check, ok: true, warning: true, told }
}

export function problem(check: string, told: string): Finding {
  return { check, ok: false, told }
}

/** Message of an error, for the end of a sentence. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
