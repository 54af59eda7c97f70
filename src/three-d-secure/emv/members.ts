// src/three-d-secure/emv/members.ts — objects as tables of members: formats, versions, and when a member must be present.
import { BOOLEAN, type Format, list, type Place, text } from './formats.ts'
import { VERSIONS, type Version } from './versions.ts'

/**
 * Conditions on other members of the same object, by their names: each of them has one of the values. `version` is the
 * version of the message; an absent member has the value ''; `*` is any value; a point leads to a member of a member.
 */
export type Where = Readonly<Record<string, readonly string[]>>

/** A member of an object: a row of its table. */
export interface Member<T = unknown, Always extends boolean = boolean> {
  readonly format: Format<T>
  /** Required in every version and case. */
  readonly always: Always
  /** Required in any of these cases. */
  readonly required: readonly Where[]
  /** Ignored and left out in any of these cases. */
  readonly ignored: readonly Where[]
  readonly versions: readonly Version[]
  /** Name before 2.3.1, where it was another. */
  readonly earlier: string | null
  /** An empty text counts as absent. */
  readonly mayBeEmpty: boolean
}

export type Members = Readonly<Record<string, Member>>

type ValueOf<M> = M extends { readonly format: Format<infer T> } ? T : never

/** The model of a table: what it requires always is always there. */
export type ModelOf<Table extends Members> = {
  readonly [Name in keyof Table as Table[Name]['always'] extends true ? Name : never]: ValueOf<Table[Name]>
} & {
  readonly [Name in keyof Table as Table[Name]['always'] extends true ? never : Name]?: ValueOf<Table[Name]>
}

type Rest = Partial<Pick<Member, 'ignored' | 'versions' | 'earlier' | 'mayBeEmpty'>>

const PLAIN = { required: [], ignored: [], versions: VERSIONS, earlier: null, mayBeEmpty: false } as const

/** A member that is always required. */
export function required<T>(format: Format<T>): Member<T, true> {
  return { ...PLAIN, format, always: true }
}

/** A member that is required in some cases. */
export function requiredWhere<T>(format: Format<T>, cases: readonly Where[], rest: Rest = {}): Member<T, false> {
  return { ...PLAIN, ...rest, format, always: false, required: cases }
}

export function optional<T>(format: Format<T>, rest: Rest = {}): Member<T, false> {
  return requiredWhere(format, [], rest)
}

/** Reads the members of an object; unknown ones are ignored. @param known what is known beside its members, for conditions */
export function readMembers(
  members: Members,
  raw: Readonly<Record<string, unknown>>,
  place: Place,
  known: Readonly<Record<string, string>> = {},
): Readonly<Record<string, unknown>> {
  const facts = { ...raw, ...known, version: place.version }
  const read: Record<string, unknown> = {}
  for (const [name, member] of Object.entries(members)) {
    if (!member.versions.includes(place.version) || member.ignored.some(where => holds(where, facts))) continue
    const wireName = nameIn(place.version, name, member)
    const at = { ...place, name: place.name === '' ? wireName : `${place.name}.${wireName}` }
    const given = Object.hasOwn(raw, wireName) ? raw[wireName] : undefined
    if (given === undefined || (member.mayBeEmpty && given === '')) {
      if (member.always || member.required.some(where => holds(where, facts))) at.note('201', at.name)
      continue
    }
    if (isEmpty(given)) {
      at.note('203', at.name)
      continue
    }
    const value = member.format.read(given, at)
    if (value !== undefined) read[name] = value
  }
  return read
}

/** The members as a version has them. What it lacks is left out, and so is what is empty or ignored. */
export function writeMembers(
  members: Members,
  model: Readonly<Record<string, unknown>>,
  version: Version,
): Readonly<Record<string, unknown>> {
  const rows = Object.entries(members).flatMap(([name, member]) => {
    const value = Object.hasOwn(model, name) ? model[name] : undefined
    if (value === undefined || value === null || !member.versions.includes(version)) return []
    const written = member.format.write(value, version)
    return written === undefined || isEmpty(written) ? [] : [{ member, pair: [nameIn(version, name, member), written] }]
  })
  const facts: Readonly<Record<string, unknown>> = { ...Object.fromEntries(rows.map(({ pair }) => pair)), version }
  const isIgnored = ({ ignored }: Member) => ignored.some(where => holds(where, facts))
  return Object.fromEntries(rows.filter(({ member }) => !isIgnored(member)).map(({ pair }) => pair))
}

/** An object with members of its own. */
export function object<Table extends Members>(members: Table): Format<ModelOf<Table>> {
  return {
    read(value, place) {
      if (!isObject(value)) {
        place.note('203', place.name)
        return undefined
      }
      return readMembers(members, value, place) as ModelOf<Table>
    },
    write: (value, version) => writeMembers(members, value, version),
  }
}

/** Any object, which is not looked into. */
export const ANY_OBJECT: Format<Readonly<Record<string, unknown>>> = {
  read(value, place) {
    if (isObject(value)) return value
    place.note('203', place.name)
    return undefined
  },
  write: value => value,
}

const EXTENSION = object({
  name: required(text(64)),
  id: required(text(64)),
  criticalityIndicator: required(BOOLEAN),
  data: required(ANY_OBJECT),
})

/** A message extension. One that is critical and not recognised is an objection. */
const RECOGNISED: typeof EXTENSION = {
  read(value, place) {
    const extension = EXTENSION.read(value, place)
    if (extension?.criticalityIndicator === true && !place.extensions.includes(extension.id))
      place.note('202', place.name)
    return extension
  },
  write: (value, version) => EXTENSION.write(value, version),
}

/** Extensions of a message: ten, or fifteen in 2.3.1. */
export const EXTENSIONS = optional(list(RECOGNISED, 15))

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** What must not be sent: null, an empty text, list or object. */
function isEmpty(value: unknown): boolean {
  if (value === null || value === '') return true
  return typeof value === 'object' && Object.keys(value).length === 0
}

function nameIn(version: Version, name: string, { earlier }: Pick<Member, 'earlier'>): string {
  return version === '2.3.1' ? name : (earlier ?? name)
}

function holds(where: Where, facts: Readonly<Record<string, unknown>>): boolean {
  return Object.entries(where).every(([name, values]) => {
    const given = [valueAt(facts, name.split('.'))].flat().map(String)
    return values.some(value => (value === '*' ? given.some(each => each !== '') : given.includes(value)))
  })
}

function valueAt(facts: Readonly<Record<string, unknown>>, [name = '', ...inner]: readonly string[]): unknown {
  const value = Object.hasOwn(facts, name) ? facts[name] : ''
  if (inner.length === 0) return value
  return isObject(value) ? valueAt(value, inner) : ''
}
