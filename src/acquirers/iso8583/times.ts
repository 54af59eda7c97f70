// src/acquirers/iso8583/times.ts — the fields of date and time, in UTC and at the terminal.
import type { Standard } from './base-fields.ts'

/** Fields 7, 12 and, in 1987, 13. Field 7 is in UTC; the others are in the time zone of the terminal. */
export interface Times {
  readonly 7: string
  readonly 12: string
  readonly 13?: string
}

/** @param at epoch milliseconds @param timeZone IANA name, such as `Europe/London` */
export function timesOf(standard: Standard, at: number, timeZone: string): Times {
  const there = partsIn(at, timeZone)
  const local = there.hour + there.minute + there.second
  if (standard === '1993') return { 7: transmissionTime(at), 12: `${dateIn(there)}${local}` }
  return { 7: transmissionTime(at), 12: local, 13: there.month + there.day }
}

/** Field 7: MMDDhhmmss in UTC. It is that of each sending, also of a repetition. */
function transmissionTime(at: number): string {
  const { month, day, hour, minute, second } = partsIn(at, 'UTC')
  return month + day + hour + minute + second
}

interface DateParts {
  readonly year: string
  readonly month: string
  readonly day: string
  readonly hour: string
  readonly minute: string
  readonly second: string
}

function dateIn({ year, month, day }: DateParts): string {
  return year.slice(-2) + month + day
}

function partsIn(at: number, timeZone: string): DateParts {
  const format = new Intl.DateTimeFormat('en-GB', {
    ...{ timeZone, hourCycle: 'h23' },
    ...{ year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit', second: '2-digit' },
  })
  const found = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]))
  const part = (name: keyof DateParts): string => (found[name] ?? '').padStart(2, '0')
  return {
    ...{ year: part('year'), month: part('month'), day: part('day') },
    ...{ hour: part('hour'), minute: part('minute'), second: part('second') },
  }
}
