// src/platform/log.ts — the Log port on pino: JSON lines for machines, short lines for a person at a terminal.
import { type Level, pino, stdTimeFunctions } from 'pino'
import type { Log } from '../engine/ports/log.ts'
import { scrub, scrubText } from './scrub.ts'

export interface LogOptions {
  readonly level: 'silent' | 'error' | 'warn' | 'info'
  /** `auto`: pretty when the stream is a terminal. */
  readonly format: 'auto' | 'json' | 'pretty'
  readonly stream: LogStream
}

/** Where lines go; `process.stdout` is one. */
export interface LogStream {
  readonly isTTY?: boolean
  write(line: string): unknown
}

/** Opens the log. Every field and message passes the scrubber before it is written. */
export function openLog({ level, format, stream }: LogOptions): Log {
  const pretty = format === 'pretty' || (format === 'auto' && stream.isTTY === true)
  const logger = pino(
    {
      level,
      // Process id and host name are known to whoever collects the lines.
      base: null,
      timestamp: stdTimeFunctions.isoTime,
      // The scrubber has made plain data of errors; pino would take them for errors of its own again.
      serializers: { err: value => value },
      formatters: { level: label => ({ level: label }) },
    },
    { write: line => stream.write(pretty ? prettyLine(line) : line) },
  )
  const write = (at: Level) => (fields: Record<string, unknown>, message: string) => {
    if (logger.isLevelEnabled(at)) logger[at](scrub(fields), scrubText(message))
  }
  return { info: write('info'), warn: write('warn'), error: write('error') }
}

/** `12:00:00.000 WARN terminal lost tid=22160001`; a stack trace goes on lines of its own. */
function prettyLine(line: string): string {
  const { level, time, msg, ...fields } = JSON.parse(line) as { level: string; time: string; msg: string }
  const stacks = Object.values(fields).flatMap(value => (hasStack(value) ? [value.stack] : []))
  const rest = Object.entries(fields).map(([name, value]) => ` ${name}=${shortForm(value)}`)
  const weight = level === 'info' ? '' : `${level.toUpperCase()} `
  return [`${time.slice(11, 23)} ${weight}${msg}${rest.join('')}`, ...stacks, ''].join('\n')
}

function shortForm(value: unknown): string {
  if (hasStack(value)) return JSON.stringify(value.message)
  return typeof value === 'string' && /^[^\s"=]+$/.test(value) ? value : JSON.stringify(value)
}

function hasStack(value: unknown): value is { readonly message: string; readonly stack: string } {
  return typeof value === 'object' && value !== null && 'stack' in value && typeof value.stack === 'string'
}
