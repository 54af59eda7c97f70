// test/support/depth.ts — how often tests with random moments repeat: a few times in `npm test`, many in `npm run test:long`. ADR 72.

/** Numbers of repetitions, each enough to meet every kind of fault. */
export interface Depth {
  /** In `npm test`. */
  readonly usual: number
  /** In `npm run test:long`. */
  readonly long: number
}

/** A number of repetitions. @param variable environment variable that names another one */
export function repetitions(variable: string, { usual, long }: Depth): number {
  const named = process.env[variable]
  if (named !== undefined) return Number(named)
  return process.env['TEST_DEPTH'] === 'long' ? long : usual
}
