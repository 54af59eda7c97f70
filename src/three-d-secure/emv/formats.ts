// src/three-d-secure/emv/formats.ts — formats of single members: how each is read from JSON and written.
import type { ObjectionCode } from './objection.ts'
import { VERSIONS, type Version } from './versions.ts'

/** Where a value is read, and what is noted about it. */
export interface Place {
  readonly version: Version
  /** Name of the member, those that hold it before it. */
  readonly name: string
  /** Ids of the message extensions that are recognised. */
  readonly extensions: readonly string[]
  note(code: ObjectionCode, name: string): void
}

/** Reads and writes the value of a member. The model's value may have another shape than that of a version. */
export interface Format<T = unknown> {
  /** Undefined when the value is malformed, which is then noted. */
  read(value: unknown, place: Place): T | undefined
  /** The value as a version has it. Undefined when the version cannot express it: the member is then left out. */
  write(value: T, version: Version): unknown
}

/** Text whose length is counted in characters. */
export function text(longest: number, pattern = /^/, shortest = 1): Format<string> {
  return checked(value => {
    if (typeof value !== 'string' || value.length > 2 * longest || !pattern.test(value)) return false
    const { length } = [...value]
    return length >= shortest && length <= longest
  })
}

export function digits(longest: number, shortest = 1): Format<string> {
  return text(longest, /^\d+$/, shortest)
}

/** The canonical form of a UUID of any version. */
export const UUID = text(36, /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i)

export const BOOLEAN: Format<boolean> = checked<boolean>(value => typeof value === 'boolean')

/** An absolute HTTPS address without a user: it is opened by a browser or called by us. */
export function url(longest: number): Format<string> {
  return checked(value => typeof value === 'string' && value.length <= longest && isHttps(value))
}

function isHttps(address: string): boolean {
  if (!/^https:\/\/[^\s\\\p{C}]+$/iu.test(address) || !URL.canParse(address)) return false
  const { username, password, hostname } = new URL(address)
  return username === '' && password === '' && hostname !== ''
}

/** Date, or date and time, in digits from the year on: 8 digits to the day, 12 to the minute, 14 to the second. */
export function moment(length: 8 | 12 | 14): Format<string> {
  return checked(value => typeof value === 'string' && value.length === length && isMoment(value))
}

function isMoment(value: string): boolean {
  const [, year = '', month = '', day = '', hour = '00', minute = '00', second = '00'] =
    /^(\d{4})(\d\d)(\d\d)(\d\d)?(\d\d)?(\d\d)?$/.exec(value) ?? []
  const parts = [year, month, day, hour, minute, second].map(Number) as [number, number, number, number, number, number]
  const [y, m, d, ...time] = parts
  return (
    year !== '' &&
    m > 0 &&
    new Date(Date.UTC(y, m - 1, d, ...time))
      .toISOString()
      .startsWith(`${year}-${month}-${day}T${hour}:${minute}:${second}`)
  )
}

/** Base64 of exactly so many bytes, or up to `upTo` characters from version 2.3.1 on. */
export function base64(bytes: number, longest: number): Format<string> {
  const exact = Math.ceil(bytes / 3) * 4
  return {
    read(value, place) {
      const whole =
        typeof value === 'string' && /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(value)
      const fits = whole && (place.version === '2.3.1' ? value.length <= longest : value.length === exact)
      if (fits && (place.version === '2.3.1' || Buffer.from(value, 'base64').length === bytes)) return value
      place.note('203', place.name)
      return undefined
    },
    write: value => value,
  }
}

/** Codes of a version, and what a lower version gets for a code that it lacks; without one the member is left out. */
export interface CodeRules {
  readonly from: string
  readonly to: Readonly<Record<Version, string>>
  /** The directory server may define codes of its own, 80 to 99. */
  readonly reserved?: true
  readonly lower?: Readonly<Partial<Record<Version, Readonly<Record<string, string>>>>>
}

/** Two-digit codes from one to another, the last one by version. */
export function codes({ from, to, reserved, lower }: CodeRules): Format<string> {
  const known = (code: string, version: Version) =>
    (code >= from && code <= to[version]) || (reserved === true && code >= '80' && code <= '99')
  return {
    read(value, place) {
      if (typeof value === 'string' && /^\d\d$/.test(value) && known(value, place.version)) return value
      place.note('203', place.name)
      return undefined
    },
    write: (value, version) => lowered(value, version, lower) ?? value,
  }
}

/** What a version writes for a code that it lacks. */
function lowered(code: string, version: Version, lower: CodeRules['lower']): string | undefined {
  const replaced = lower?.[version]
  return replaced !== undefined && Object.hasOwn(replaced, code) ? replaced[code] : undefined
}

/** The same codes in every version. */
export function codesTo(to: string, reserved?: 'reserved'): Format<string> {
  return codes({ from: '01', to: every(to), ...(reserved && { reserved: true }) })
}

/** The same for every version. */
export function every<T>(value: T): Readonly<Record<Version, T>> {
  return Object.fromEntries(VERSIONS.map(version => [version, value])) as Record<Version, T>
}

/** One of a few letters, by version. */
export function oneOf<const Letter extends string>(
  letters: Readonly<Record<Version, readonly Letter[]>>,
): Format<Letter> {
  return {
    read(value, place) {
      const found = letters[place.version].find(letter => letter === value)
      if (found === undefined) place.note('203', place.name)
      return found
    },
    write: value => value,
  }
}

export const YES_OR_NO = oneOf(every(['Y', 'N'] as const))

/** A list of values, which is never empty. */
export function list<T>(format: Format<T>, longest: number): Format<readonly T[]> {
  return {
    read(value, place) {
      if (!Array.isArray(value) || value.length > longest) {
        place.note('203', place.name)
        return undefined
      }
      const read = value.map(each => format.read(each, place))
      return read.includes(undefined) ? undefined : (read as readonly T[])
    },
    write: (value, version) => value.map(each => format.write(each, version)).filter(each => each !== undefined),
  }
}

/** A list from 2.3.1 on, and its only or first value before. Some servers send a list before too. */
export function oneThenList<T>(format: Format<T>, longest: number): Format<readonly T[]> {
  const many = list(format, longest)
  return {
    read(value, place) {
      if (place.version === '2.3.1' || Array.isArray(value)) return many.read(value, place)
      const read = format.read(value, place)
      return read === undefined ? undefined : [read]
    },
    write(value, version) {
      const written = many.write(value, version) as readonly unknown[]
      return version === '2.3.1' ? written : written[0]
    },
  }
}

/** A numeric ISO code that a table has. A code of three digits that it lacks is 304, anything else 203. */
export function isoCode(isKnown: (code: string) => boolean): Format<string> {
  return {
    read(value, place) {
      if (typeof value === 'string' && /^\d{3}$/.test(value)) {
        if (isKnown(value)) return value
        place.note('304', place.name)
      } else place.note('203', place.name)
      return undefined
    },
    write: value => value,
  }
}

/** Values that pass a check, the same in the model and in each version. */
export function checked<T = string>(isValid: (value: unknown) => boolean): Format<T> {
  return {
    read(value, place) {
      if (isValid(value)) return value as T
      place.note('203', place.name)
      return undefined
    },
    write: value => value,
  }
}
