// src/cli/doctor/finding.ts — what one check of the doctor has to say.

export interface Finding {
  /** What was looked at, in a word or two. */
  readonly check: string
  readonly ok: boolean
  /** It works, and somebody should look at it. */
  readonly warning?: true
  /** What was found, and if it is a problem, what to do. */
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

/** What went wrong, for the end of a sentence. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
