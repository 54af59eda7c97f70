// src/platform/log.ts — the Log port on pino: JSON lines for machines, short lines for a person at a terminal.
import { type Level, pino, stdTimeFunctions } from 'pino'
import type { Log } from '../engine/ports/log.ts'
import { scrub, scrubText } from './scrub.ts'

export interface LogOptions {
  readonly level: 'silent' | 'error' | 'warn' | 'info'
  /** `auto`: pretty when the stream is a terminal. */
  readonly format: 'auto' | 'json' | 'pretty'
  readonly stream: LogStream
  /** Called for each line that could not be written: the reader is gone, or the disk is full. */
  readonly onDropped?: () => void
}

/** Where lines go; `process.stderr` is one. */
export interface LogStream {
  readonly isTTY?: boolean
  /** Set on the streams of a process: lines go straight to the file descriptor, whatever state the stream is in. */
  readonly fd?: number
  write(line: string): unknown
}

/** Characters that wait for a full disk to have room again. What comes on top is dropped. */
const MOST_WAITING = 16_384

/** Opens the log. Every field and message passes the scrubber before it is written. */
export function openLog({ level, format, stream, onDropped = () => {} }: LogOptions): Log {
  const writeLine = lineWriter(stream, onDropped)
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
    { write: line => writeLine(pretty ? prettyLine(line) : line) },
  )
  const write = (at: Level) => (fields: Record<string, unknown>, message: string) => {
    if (logger.isLevelEnabled(at)) logger[at](scrub(fields), scrubText(message))
  }
  return { info: write('info'), warn: write('warn'), error: write('error') }
}

/** Writes lines and never fails: a gateway goes on taking payments without its log. */
function lineWriter(stream: LogStream, onDropped: () => void): (line: string) => void {
  if (stream.fd === undefined) return line => void stream.write(line)
  const destination = pino.destination({ dest: stream.fd, sync: true, maxLength: MOST_WAITING })
  let readerGone = false
  destination.on('error', (error: NodeJS.ErrnoException) => {
    // The library writes nothing more then, without a word. A full disk is tried again with the next line.
    if (error.code === 'EPIPE') readerGone = true
  })
  destination.on('drop', onDropped)
  return line => {
    destination.write(line)
    if (readerGone) onDropped()
  }
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
