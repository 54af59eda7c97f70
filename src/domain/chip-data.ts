// src/domain/chip-data.ts — chip data and PIN block of a card, in types that print as [redacted].

/** What Node's inspector asks an object for, `console` and assertion messages included. */
const INSPECT = Symbol.for('nodejs.util.inspect.custom')
const REDACTED = '[redacted]'

/** Prints the same whatever it holds. */
class Redacted {
  toString(): string {
    return REDACTED
  }

  toJSON(): string {
    return REDACTED
  }

  [INSPECT](): string {
    return REDACTED
  }
}

/** Whole bytes, as many as a field of ISO 8583 takes. */
const CHIP_DATA = /^(?:[\dA-F]{2}){1,999}$/
/** Eight bytes, or sixteen in format 4. ISO 9564-1. */
const PIN_BLOCK = /^(?:[\dA-F]{16}|[\dA-F]{32})$/
/** Ten bytes for TDES keys, twelve for AES keys. ANSI X9.24. */
const KEY_SERIAL_NUMBER = /^(?:[\dA-F]{20}|[\dA-F]{24})$/

/** What a chip signs for one authorisation, as tags, lengths and values. It holds the card number. Only `reveal` gives it. */
export class ChipData extends Redacted {
  readonly #hex: string

  /** @param hex in capital letters */
  constructor(hex: string) {
    super()
    if (!CHIP_DATA.test(hex)) throw new Error('chip data are 1 to 999 bytes in capital hexadecimal digits')
    this.#hex = hex
  }

  /** For the vault and the acquirer. */
  reveal(): string {
    return this.#hex
  }
}

/** A PIN as the terminal has encrypted it. It is sent once and then forgotten; nothing keeps it, the vault neither. */
export class PinBlock extends Redacted {
  readonly #hex: string
  readonly #keySerialNumber: string

  /** @param keySerialNumber names the key that the terminal has used. Both in capital hexadecimal digits. */
  constructor(hex: string, keySerialNumber: string) {
    super()
    if (!PIN_BLOCK.test(hex)) throw new Error('a PIN block has 8 or 16 bytes in capital hexadecimal digits')
    if (!KEY_SERIAL_NUMBER.test(keySerialNumber)) throw new Error('a key serial number has 10 or 12 bytes')
    this.#hex = hex
    this.#keySerialNumber = keySerialNumber
  }

  /** For the acquirer. */
  reveal(): { readonly block: string; readonly keySerialNumber: string } {
    return { block: this.#hex, keySerialNumber: this.#keySerialNumber }
  }
}
