// src/domain/chip-data.ts — chip data and PIN block in types that print as [redacted].

/** The method by which Node's inspector prints an object, also in `console` and assertion messages. */
const INSPECT = Symbol.for('nodejs.util.inspect.custom')
const REDACTED = '[redacted]'

/** Prints as `[redacted]`, whatever its value. */
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

/** 1 to 999 bytes, the limit of an ISO 8583 field. */
const CHIP_DATA = /^(?:[\dA-F]{2}){1,999}$/
/** Eight bytes, or sixteen in format 4. ISO 9564-1. */
const PIN_BLOCK = /^(?:[\dA-F]{16}|[\dA-F]{32})$/
/** Ten bytes for TDES keys, twelve for AES keys. ANSI X9.24. */
const KEY_SERIAL_NUMBER = /^(?:[\dA-F]{20}|[\dA-F]{24})$/

/** The chip's signed data for one authorisation (EMV TLV). Contains the card number. Only `reveal` returns it. */
export class ChipData extends Redacted {
  readonly #hex: string

  /** @param hex upper-case hexadecimal @throws Error when malformed */
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

/** A PIN that the terminal has encrypted. It is sent once and then forgotten; it is never stored, not even in the vault. */
export class PinBlock extends Redacted {
  readonly #hex: string
  readonly #keySerialNumber: string

  /** @param keySerialNumber id of the terminal's key. Both are upper-case hexadecimal. @throws Error when malformed */
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
