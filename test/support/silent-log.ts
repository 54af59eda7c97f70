// test/support/silent-log.ts — a log that drops its lines, and one that keeps them.
import type { Log } from '../../src/engine/ports/log.ts'

export const silentLog: Log = { info() {}, warn() {}, error() {} }

export interface LogLine {
  readonly level: 'info' | 'warn' | 'error'
  readonly fields: Record<string, unknown>
  readonly message: string
}

/** A log that keeps its lines, for tests of what is (and is not) logged. */
export function keepingLog(): Log & { readonly lines: readonly LogLine[] } {
  const lines: LogLine[] = []
  const at = (level: LogLine['level']) => (fields: Record<string, unknown>, message: string) => {
    lines.push({ level, fields, message })
  }
  return { lines, info: at('info'), warn: at('warn'), error: at('error') }
}
