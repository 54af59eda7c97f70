// src/cli/doctor/finding.ts — the result of one check of the doctor.

export interface Finding {
  /** Name of the check. */
  readonly check: string
  readonly ok: boolean
  /** Set when it works but needs attention. */
  readonly warning?: true
  /** What was found; for a problem, also what to do. */
  readonly message: string
}

export function fine(check: string, message: string): Finding {
  return { check, ok: true, message }
}

export function warning(check: string, message: string): Finding {
  return { check, ok: true, warning: true, message }
}

export function problem(check: string, message: string): Finding {
  return { check, ok: false, message }
}

/** Message of an error, for the end of a sentence. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
