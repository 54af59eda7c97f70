// src/peers/hsm/requests.ts — what the security module answers to a request of docs/hsm-interface.md.
import { timingSafeEqual } from 'node:crypto'
import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/schema'
import { codeOf, desBlock } from './codes.ts'
import { blockFor, keyOfPin, pinOf } from './pins.ts'

const NAME = Type.String({ pattern: '^[a-z0-9][a-z0-9-]{0,39}$' })
const hex = (most: number) => Type.String({ pattern: `^(?:[0-9A-Fa-f]{2}){0,${most}}$` })

/** The file of its keys. */
const KEY_FILE = Type.Object({
  keys: Type.Array(
    Type.Object({
      name: NAME,
      use: Type.Unsafe<'mac' | 'pin' | 'terminals'>({ enum: ['mac', 'pin', 'terminals'] }),
      algorithm: Type.Unsafe<'tdes' | 'aes'>({ enum: ['tdes', 'aes'] }),
      key: Type.String({ pattern: '^(?:[0-9A-Fa-f]{16}){1,4}$' }),
    }),
  ),
})
type Key = Static<typeof KEY_FILE>['keys'][number]

const CODE = {
  ...{ id: Type.Integer(), key: NAME, bytes: Type.Integer({ minimum: 4, maximum: 8 }), message: hex(16_384) },
  algorithm: Type.Unsafe<'retail' | 'cbc' | 'x9.9' | 'cmac-aes'>({ enum: ['retail', 'cbc', 'x9.9', 'cmac-aes'] }),
  padding: Type.Unsafe<'zeros' | '80'>({ enum: ['zeros', '80'] }),
}
const REQUEST = Type.Union([
  Type.Object({ id: Type.Integer(), do: Type.Literal('keys') }),
  Type.Object({ ...CODE, do: Type.Literal('mac') }),
  Type.Object({ ...CODE, do: Type.Literal('verify'), mac: hex(8) }),
  Type.Object({
    ...{ id: Type.Integer(), do: Type.Literal('pin'), from: NAME, to: NAME, block: hex(16), serial: hex(12) },
    format: Type.Unsafe<'iso0' | 'iso3' | 'iso4'>({ enum: ['iso0', 'iso3', 'iso4'] }),
    card: Type.String({ pattern: '^\\d{12,19}$' }),
  }),
])
type Request = Static<typeof REQUEST>
type CodeRequest = Extract<Request, { readonly do: 'mac' | 'verify' }>
type PinRequest = Extract<Request, { readonly do: 'pin' }>

const [FILE, VALID] = [Compile(KEY_FILE), Compile(REQUEST)]

export interface Requests {
  /** The answer to a line, as a line. Null for one that is no request: the connection is to be closed. */
  answer(line: string): string | null
}

/** @param file the parsed file @param random makes so many bytes @throws Error when it is not in order */
export function requestsWith(file: unknown, random: (bytes: number) => Buffer): Requests {
  if (!FILE.Check(file)) throw new Error('The file must hold {"keys": [{"name", "use", "algorithm", "key"}]}.')
  const { keys } = file as Static<typeof KEY_FILE>
  const find = (name: string, use: Key['use'], algorithm: Key['algorithm']): Buffer | string => {
    const found = keys.find(each => each.name === name)
    if (found === undefined) return 'unknown_key'
    return found.use === use && found.algorithm === algorithm ? Buffer.from(found.key, 'hex') : 'wrong_use'
  }
  const code = (request: CodeRequest): Buffer | string => {
    const key = find(request.key, 'mac', request.algorithm === 'cmac-aes' ? 'aes' : 'tdes')
    if (typeof key === 'string') return key
    if (request.algorithm === 'retail' && key.length < 16) return 'wrong_use'
    const message = Buffer.from(request.message, 'hex')
    return codeOf(request.algorithm, request.padding, key, message).subarray(0, request.bytes)
  }
  const pin = ({ from, to, format, block, serial, card }: PinRequest): Buffer | string => {
    const base = find(from, 'terminals', 'tdes')
    if (typeof base === 'string') return base
    const key = find(to, 'pin', format === 'iso4' ? 'aes' : 'tdes')
    if (typeof key === 'string') return key
    if (block.length !== 16 || serial.length !== 20) return 'not_supported'
    const clear = desBlock(keyOfPin(base, Buffer.from(serial, 'hex')), 'decrypt', Buffer.from(block, 'hex'))
    const digits = pinOf(clear, card)
    return digits === null ? 'wrong_pin_block' : blockFor(digits, { format, card, key, random: random(8) })
  }
  const done = (request: Request): object => {
    switch (request.do) {
      case 'keys':
        return { keys: keys.map(listed) }
      case 'mac':
        return given('mac', code(request))
      case 'pin':
        return given('block', pin(request))
      case 'verify': {
        const made = code(request)
        if (typeof made === 'string') return { refused: made }
        const mac = Buffer.from(request.mac, 'hex')
        return { right: mac.length === made.length && timingSafeEqual(mac, made) }
      }
    }
  }
  return {
    answer(line) {
      const request = parsed(line)
      return VALID.Check(request) ? JSON.stringify({ id: (request as Request).id, ...done(request as Request) }) : null
    },
  }
}

function given(name: string, made: Buffer | string): object {
  return typeof made === 'string' ? { refused: made } : { [name]: made.toString('hex').toUpperCase() }
}

function listed({ name, use, algorithm, key }: Key): object {
  const bytes = Buffer.from(key, 'hex')
  const check =
    algorithm === 'aes'
      ? codeOf('cmac-aes', 'zeros', bytes, Buffer.alloc(16))
      : desBlock(bytes, 'encrypt', Buffer.alloc(8))
  return { name, use, algorithm, checkValue: check.toString('hex').slice(0, 6).toUpperCase() }
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return null
  }
}
