// src/peers/acquirer-host/unreadable.ts — the error for bytes or values that a packing does not allow.

/** A message that cannot be read or packed. The text names the place, never a value. */
export class Unreadable extends Error {
  /** Number of the field; null for what lies before the fields. */
  readonly field: number | null

  constructor(field: number | null, says: string) {
    super(field === null ? says : `field ${field} ${says}`)
    this.name = 'Unreadable'
    this.field = field
  }
}
