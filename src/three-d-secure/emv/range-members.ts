// src/three-d-secure/emv/range-members.ts — members of PReq and PRes, and card ranges in one shape for all versions. ADR 84.
import { codes, digits, every, type Format, list, oneOf, text, UUID, url } from './formats.ts'
import { ANY_OBJECT, EXTENSIONS, type ModelOf, object, optional, required, requiredWhere } from './members.ts'
import { compareVersions, looksLikeVersion, since, upTo, versionsBetween } from './versions.ts'

const FROM_231 = since('2.3.1')
const BEFORE_231 = upTo('2.2.0')

/** Most entries of a PRes. */
const MOST_RANGES = 200_000

const VERSION = text(8, /^\d{1,2}\.\d{1,2}\.\d{1,2}$/)
const NUMBER = digits(19, 13)
const ACTION = oneOf(every(['A', 'M', 'D'] as const))
/** What the access control server can do, such as 03, decoupled authentication. */
const ABILITIES = list(codes({ from: '01', to: every('11'), reserved: true }), 99)

/** The request for card ranges. */
export const PREQ = {
  threeDSServerTransID: required(UUID),
  threeDSServerRefNumber: required(text(32)),
  threeDSServerOperatorID: optional(text(32)),
  serialNum: optional(text(20)),
  cardRangeDataDownloadInd: optional(oneOf(every(['Y'] as const)), { versions: FROM_231 }),
  messageExtension: EXTENSIONS,
}

const ACS_VERSION = object({
  version: required(VERSION),
  acsInfoInd: optional(ABILITIES),
  threeDSMethodURL: optional(url(256), { mayBeEmpty: true }),
  supportedMsgExt: optional(list(object({ id: required(text(64)), version: required(text(8)) }), 99)),
})

/** Card numbers of one length from a first to a last one. */
const SPAN_MEMBERS = { startRange: required(NUMBER), endRange: required(NUMBER) }
const SPAN = object(SPAN_MEMBERS)

/** Card ranges as 2.3.1 writes them, which is the model. */
const RANGE = object({
  ranges: required(list(ordered(SPAN), MOST_RANGES)),
  actionInd: optional(ACTION),
  acsProtocolVersions: required(list(ACS_VERSION, 99)),
  /** Versions of the directory server for these ranges, before 2.3.1. */
  dsProtocolVersions: optional(list(VERSION, 99), { versions: BEFORE_231 }),
})

/** The same as 2.1 and 2.2 write them. */
const EARLIER_RANGE = ordered(
  object({
    ...SPAN_MEMBERS,
    actionInd: optional(ACTION),
    acsStartProtocolVersion: required(VERSION),
    acsEndProtocolVersion: required(VERSION),
    dsStartProtocolVersion: optional(VERSION),
    dsEndProtocolVersion: optional(VERSION),
    threeDSMethodURL: optional(url(256), { mayBeEmpty: true }),
    acsInfoInd: optional(ABILITIES, { versions: ['2.2.0'] }),
  }),
)

export type CardRangeEntry = typeof RANGE extends Format<infer T> ? T : never
type EarlierEntry = typeof EARLIER_RANGE extends Format<infer T> ? T : never

/** An entry of `cardRangeData` in the shape of its version; the model has that of 2.3.1. */
const ENTRY: Format<CardRangeEntry> = {
  read(value, place) {
    if (place.version === '2.3.1') return RANGE.read(value, place)
    const earlier = EARLIER_RANGE.read(value, place)
    return isWhole(earlier) ? fromEarlier(earlier) : undefined
  },
  write(entry, version) {
    return version === '2.3.1' ? RANGE.write(entry, version) : EARLIER_RANGE.write(toEarlier(entry), version)
  },
}

/** The answer with card ranges. Versions of the directory server: a range before 2.3.1, a list since. */
export const PRES = {
  threeDSServerTransID: required(UUID),
  dsTransID: optional(UUID),
  serialNum: optional(text(20)),
  cardRangeData: optional(list(ENTRY, MOST_RANGES)),
  cardRangeDataFileURL: optional(url(2048), { versions: FROM_231 }),
  dsStartProtocolVersion: requiredWhere(VERSION, [{}], { versions: BEFORE_231 }),
  dsEndProtocolVersion: requiredWhere(VERSION, [{}], { versions: BEFORE_231 }),
  dsProtocolVersions: requiredWhere(list(VERSION, 99), [{}], { versions: FROM_231 }),
  dsUrlList: optional(list(ANY_OBJECT, 99), { versions: FROM_231 }),
  messageExtension: EXTENSIONS,
}

/** Versions of the directory server that a PRes names, in either shape. */
export function directoryServerVersions(pres: ModelOf<typeof PRES>): readonly string[] {
  const { dsStartProtocolVersion: start, dsEndProtocolVersion: end, dsProtocolVersions } = pres
  return dsProtocolVersions ?? (start === undefined || end === undefined ? [] : versionsBetween(start, end))
}

/** Adds that the first number is not behind the last, and as long. */
function ordered<T extends { readonly startRange: string; readonly endRange: string }>(format: Format<T>): Format<T> {
  return {
    read(value, place) {
      const read = format.read(value, place)
      if (read?.startRange === undefined || read.endRange === undefined) return read
      const { startRange, endRange } = read
      if (startRange.length === endRange.length && startRange <= endRange) return read
      place.note('203', `${place.name}.endRange`)
      return undefined
    },
    write: (value, version) => format.write(value, version),
  }
}

/** What is missing or malformed has been noted; there is nothing to convert then. */
function isWhole(entry: EarlierEntry | undefined): entry is EarlierEntry {
  const { acsStartProtocolVersion: start, acsEndProtocolVersion: end } = entry ?? {}
  return entry?.startRange !== undefined && looksLikeVersion(start) && looksLikeVersion(end)
}

function fromEarlier(entry: EarlierEntry): CardRangeEntry {
  const { startRange, endRange, actionInd, threeDSMethodURL, acsInfoInd } = entry
  const { dsStartProtocolVersion: dsStart, dsEndProtocolVersion: dsEnd } = entry
  const versions = versionsBetween(entry.acsStartProtocolVersion, entry.acsEndProtocolVersion)
  return {
    ranges: [{ startRange, endRange }],
    ...(actionInd && { actionInd }),
    acsProtocolVersions: versions.map(version => ({
      version,
      ...(acsInfoInd && { acsInfoInd }),
      ...(threeDSMethodURL && { threeDSMethodURL }),
    })),
    ...(dsStart && dsEnd && { dsProtocolVersions: versionsBetween(dsStart, dsEnd) }),
  }
}

/** An entry of one span: the others of 2.3.1 are entries of their own before. */
function toEarlier({ ranges, actionInd, acsProtocolVersions, dsProtocolVersions }: CardRangeEntry): EarlierEntry {
  const versions = acsProtocolVersions.map(({ version }) => version).toSorted(compareVersions)
  const dsVersions = dsProtocolVersions?.toSorted(compareVersions) ?? []
  const { threeDSMethodURL, acsInfoInd } = acsProtocolVersions[0] ?? {}
  const { startRange = '', endRange = '' } = ranges[0] ?? {}
  return {
    ...{ startRange, endRange },
    acsStartProtocolVersion: versions[0] ?? '',
    acsEndProtocolVersion: versions.at(-1) ?? '',
    ...(actionInd && { actionInd }),
    ...(dsVersions[0] && { dsStartProtocolVersion: dsVersions[0], dsEndProtocolVersion: dsVersions.at(-1) ?? '' }),
    ...(threeDSMethodURL && { threeDSMethodURL }),
    ...(acsInfoInd && { acsInfoInd }),
  }
}
