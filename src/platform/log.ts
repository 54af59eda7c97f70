// src/platform/log.ts — implements the Log port on pino: JSON lines, or short lines for people.
import { type Level, pino, stdTimeFunctions } from 'pino'
import { struckOut } from '../domain/redaction.ts'
import type { Log } from '../engine/ports/log.ts'
import { scrub } from './scrub.ts'

export interface LogOptions {
  readonly level: 'silent' | 'error' | 'warn' | 'info'
  /** `auto` is `pretty` on a TTY and `json` elsewhere. */
  readonly format: 'auto' | 'json' | 'pretty'
  readonly stream: LogStream
  /** Called for each line that could not be written, because the reader has closed the pipe or the disk is full. */
  readonly onDropped?: () => void
}

/** Destination of log lines, such as `process.stderr`. */
export interface LogStream {
  readonly isTTY?: boolean
  /** Set on streams of the process. Lines are written directly to this file descriptor, whatever the state of the stream. */
  readonly fd?: number
  write(line: string): unknown
}

/** Characters buffered while the disk is full. Further lines are dropped. */
const MOST_WAITING = 16_384

/** Opens the log. Every field and message is scrubbed before it is written. */
export function openLog({ level, format, stream, onDropped = () => {} }: LogOptions): Log {
  const writeLine = lineWriter(stream, onDropped)
  const pretty = format === 'pretty' || (format === 'auto' && stream.isTTY === true)
  const logger = pino(
    {
      level,
      // Without process id and host name, which log collectors add.
      base: null,
      timestamp: stdTimeFunctions.isoTime,
      // The scrubber has converted errors to plain data, which pino must not serialise again.
      serializers: { err: value => value },
      formatters: { level: label => ({ level: label }) },
    },
    { write: line => writeLine(pretty ? prettyLine(line) : line) },
  )
  const write = (at: Level) => (fields: Record<string, unknown>, message: string) => {
    if (logger.isLevelEnabled(at)) logger[at](scrub(fields), struckOut(message))
  }
  return { info: write('info'), warn: write('warn'), error: write('error') }
}

/** Returns a writer that never fails: the gateway takes payments even without its log. */
function lineWriter(stream: LogStream, onDropped: () => void): (line: string) => void {
  if (stream.fd === undefined) return line => void stream.write(line)
  const destination = pino.destination({ dest: stream.fd, sync: true, maxLength: MOST_WAITING })
  let readerGone = false
  destination.on('error', (error: NodeJS.ErrnoException) => {
    // After EPIPE the library silently writes nothing more. After a full disk it retries with the next line.
    if (error.code === 'EPIPE') readerGone = true
  })
  destination.on('drop', onDropped)
  return line => {
    destination.write(line)
    if (readerGone) onDropped()
  }
}

/** Formats a line as `12:00:00.000 WARN terminal lost tid=22160001`, followed by stack traces on separate lines. */
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
