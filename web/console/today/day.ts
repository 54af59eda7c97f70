// web/console/today/day.ts — the day of a shop, in its time zone.

const HOUR_MS = 3_600_000

interface LocalTime {
  readonly date: string
  readonly hour: number
  /** Milliseconds since the hour began. */
  readonly pastMs: number
}

/** One format for many moments: to make it takes longer than to use it. */
function localTimesIn(timeZone: string): (at: number) => LocalTime {
  const format = new Intl.DateTimeFormat('en-CA', {
    ...{ timeZone, hourCycle: 'h23', year: 'numeric', month: '2-digit', day: '2-digit' },
    ...{ hour: '2-digit', minute: '2-digit', second: '2-digit' },
  })
  return at => {
    const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]))
    const pastMs = Number(parts['minute']) * 60_000 + Number(parts['second']) * 1_000 + (((at % 1_000) + 1_000) % 1_000)
    return { date: `${parts['year']}-${parts['month']}-${parts['day']}`, hour: Number(parts['hour']), pastMs }
  }
}

/** When the day began in which a moment lies, epoch milliseconds. Clocks may have changed since. */
export function startOfDay(at: number, timeZone: string): number {
  const localTimeOf = localTimesIn(timeZone)
  const { date, pastMs } = localTimeOf(at)
  let began = at - pastMs
  for (;;) {
    const earlier = localTimeOf(began - 1)
    if (earlier.date !== date) return began
    began -= earlier.pastMs + 1
  }
}

/** Hours of the day of moments, 0 to 23. */
export function hoursIn(timeZone: string): (at: number) => number {
  const localTimeOf = localTimesIn(timeZone)
  return at => localTimeOf(at).hour
}

/** Hours of the day up to a moment, as they are named. */
export function hoursUntil(at: number, timeZone: string): readonly number[] {
  const began = startOfDay(at, timeZone)
  const hourOf = hoursIn(timeZone)
  const hours = new Set<number>()
  for (let moment = began; moment <= at; moment += HOUR_MS) hours.add(hourOf(moment))
  hours.add(hourOf(at))
  return [...hours].sort((a, b) => a - b)
}
