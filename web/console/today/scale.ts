// web/console/today/scale.ts — the scale of a chart: from nothing, or from below it, to a round number. Pure.

export interface Scale {
  readonly low: number
  readonly high: number
}

/** A scale that holds all values and zero. */
export function scaleOf(values: readonly number[]): Scale {
  const high = roundUp(Math.max(0, ...values))
  const low = 0 - roundUp(Math.max(0, ...values.map(value => -value)))
  return high === low ? { low: 0, high: 1 } : { low, high }
}

/** The next of 1, 2, 2.5, 5 or 10 times a power of ten. */
function roundUp(value: number): number {
  if (value === 0) return 0
  const power = 10 ** Math.floor(Math.log10(value))
  const factor = [1, 2, 2.5, 5, 10].find(each => value <= each * power) ?? 10
  return factor * power
}

/** Where a bar from zero to a value stands, in percent of the height. */
export function barOf(value: number, { low, high }: Scale): { readonly bottom: number; readonly height: number } {
  const percent = 100 / (high - low)
  const zero = -low * percent
  const height = Math.abs(value) * percent
  return { bottom: value < 0 ? zero - height : zero, height }
}
