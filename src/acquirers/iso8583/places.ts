// src/acquirers/iso8583/places.ts — places that a dialect names: a field, or a sub-field of one after a dot, such as 63.04.

export interface Place {
  readonly field: number
  /** Name of the sub-field; undefined for the field itself. */
  readonly part: string | undefined
}

/** Reads 76 or `63.04`. */
export function placeIn(text: number | string): Place {
  const [field, part] = String(text).split('.')
  return { field: Number(field), part }
}
