// src/cli/no-log.ts — a log for commands whose result says what the log would.
import type { Log } from '../engine/ports/log.ts'

/** Keeps nothing. */
export const NO_LOG: Log = { info() {}, warn() {}, error() {} }
