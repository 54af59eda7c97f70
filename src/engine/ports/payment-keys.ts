// src/engine/ports/payment-keys.ts — port: makes and checks MACs, and translates PIN blocks, by keys that never leave their store.
import type { PinBlock } from '../../domain/chip-data.ts'

/** Message authentication: ISO/IEC 9797-1 algorithms 3 and 1 with TDES, ANSI X9.9 with single DES, NIST SP 800-38B. */
export type MacAlgorithm = 'retail' | 'cbc' | 'x9.9' | 'cmac-aes'
/** Of the last block: zeros, or 80 and zeros (ISO/IEC 9797-1 methods 1 and 2). CMAC pads by itself. */
export type MacPadding = 'zeros' | '80'
/** PIN blocks of ISO 9564-1: formats 0, 3 and 4. */
export type PinFormat = 'iso0' | 'iso3' | 'iso4'

/**
 * What a key may do: `mac` of messages, `pin` of PIN blocks to the acquirer, or `terminals`: the base key from which each terminal
 * derives a key for each PIN (ANSI X9.24, DUKPT).
 */
export type KeyUse = 'mac' | 'pin' | 'terminals'

/** What may be known of a key. */
export interface PaymentKey {
  readonly name: string
  readonly use: KeyUse
  readonly algorithm: 'tdes' | 'aes'
  /** Six hexadecimal digits: the first three bytes of an encrypted block of zeros, for AES of its CMAC. */
  readonly checkValue: string
}

export interface MacRequest {
  /** Name of the key. */
  readonly key: string
  readonly algorithm: MacAlgorithm
  readonly padding: MacPadding
  /** Length of the code, from its left: 4 to 8. */
  readonly bytes: number
  readonly message: Uint8Array
}

export interface PinTranslation {
  /** Name of the base key of the terminals. */
  readonly from: string
  /** Name of the acquirer's key. */
  readonly to: string
  readonly format: PinFormat
  readonly pin: PinBlock
  /** Digits of the card number. */
  readonly cardNumber: string
}

/** Why a key was not used. `unreachable`: nothing is known of it; it may be tried again. */
export type KeyRefusal = 'unknown_key' | 'wrong_use' | 'not_supported' | 'wrong_pin_block' | 'unreachable'
export interface KeyRefused {
  readonly refused: KeyRefusal
}

/** No operation returns a key or a PIN. */
export interface PaymentKeys {
  list(): Promise<readonly PaymentKey[] | KeyRefused>
  mac(request: MacRequest): Promise<{ readonly mac: Uint8Array } | KeyRefused>
  verifyMac(request: MacRequest & { readonly mac: Uint8Array }): Promise<{ readonly isRight: boolean } | KeyRefused>
  /** Encrypts the PIN for the acquirer. The PIN itself exists nowhere else. */
  translatePin(translation: PinTranslation): Promise<{ readonly block: Uint8Array } | KeyRefused>
}
