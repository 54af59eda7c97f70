// src/engine/ports/log.ts — ports: the log and the metrics.

/** Logs facts with fields, one line per state change; never a card number, a key or a query string. */
export interface Log {
  info(fields: Record<string, unknown>, message: string): void
  warn(fields: Record<string, unknown>, message: string): void
  error(fields: Record<string, unknown>, message: string): void
}

/** Counts the engine's work. */
export interface Meters {
  committed(groupSize: number): void
  effectRetried(type: string): void
  transactionStarted(type: string): void
  transactionFinished(type: string, result: string): void
  /** Counts a submitted online payment. */
  paymentStarted(type: string): void
  paymentFinished(type: string, result: string): void
}
