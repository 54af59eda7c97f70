// web/console/parts/time.ts — points in time for people.

/** A time as short as it can be: without the date when that is today's. @param now epoch milliseconds */
export function shortTime(at: string, now: number): string {
  const then = new Date(at)
  return then.toDateString() === new Date(now).toDateString() ? then.toLocaleTimeString() : then.toLocaleString()
}
