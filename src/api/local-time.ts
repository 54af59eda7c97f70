// src/api/local-time.ts — formats times as local time of the shop or as UTC.
import { memoise } from '../engine/memoise.ts'

/** Formatters are expensive to create. There are about 600 time zones. */
const CACHED_ZONES = 600

const formatterOf = memoise(
  CACHED_ZONES,
  timeZone =>
    new Intl.DateTimeFormat('en-GB', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
    }),
)

/** Formats epoch milliseconds as `YYYY-MM-DDThh:mm:ss` without a zone, as the connect interface sends it. */
export function localTimeOf(at: number, timeZone: string): string {
  const parts = new Map(
    formatterOf(timeZone)
      .formatToParts(at)
      .map(({ type, value }) => [type, value]),
  )
  const part = (name: Intl.DateTimeFormatPartTypes): string => parts.get(name) ?? ''
  return `${part('year')}-${part('month')}-${part('day')}T${part('hour')}:${part('minute')}:${part('second')}`
}

/** Formats epoch milliseconds as RFC 3339 in UTC, with milliseconds. */
export function utcTimeOf(at: number): string {
  return new Date(at).toISOString()
}
