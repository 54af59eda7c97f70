// src/three-d-secure/emv/card-range-table.ts — card ranges of a directory server: loaded, updated as a whole, looked up. ADR 84.
import type { Message } from './codec.ts'
import { type Objection, objection } from './objection.ts'
import { type CardRangeEntry, directoryServerVersions } from './range-members.ts'

/** Card numbers of one length, and what their access control server can do. */
export interface CardRange {
  readonly start: string
  readonly end: string
  readonly acsVersions: CardRangeEntry['acsProtocolVersions']
  /** Versions of the directory server for this range, where they are not those of all. */
  readonly directoryServerVersions: readonly string[] | null
}

/** One generation of ranges. A change makes a new one beside it, so readers never see half of a change. */
export interface CardRangeTable {
  /** Ranges by the length of their numbers, in order of their starts, without overlaps. */
  readonly byLength: ReadonlyMap<number, readonly CardRange[]>
  /** Names this state to the directory server; null when it gives none and must be asked for everything again. */
  readonly serialNumber: string | null
  readonly directoryServerVersions: readonly string[]
}

export const NO_RANGES: CardRangeTable = { byLength: new Map(), serialNumber: null, directoryServerVersions: [] }

/**
 * The next generation after a PRes. Refused as a whole with 205 when ranges overlap, and with 206 when a range to change or
 * delete is not there; the old generation then stays in use, and the next PReq has no serial number.
 * An answer without a serial number, or to a request without one, replaces everything.
 */
export function nextTable(
  before: CardRangeTable,
  pres: Message<'PRes'>,
): CardRangeTable | { readonly refused: Objection } {
  const { serialNum = null, cardRangeData = [] } = pres
  if (serialNum !== null && serialNum === before.serialNumber && cardRangeData.length === 0) return before
  const isDelta = serialNum !== null && before.serialNumber !== null
  const changes = createChanges(isDelta ? before : NO_RANGES)
  for (const entry of cardRangeData)
    for (const range of rangesOf(entry)) {
      const problem = changes.apply(entry.actionInd ?? 'A', range)
      if (problem !== null) return { refused: objection(problem, ['cardRangeData']) }
    }
  return { byLength: changes.byLength, serialNumber: serialNum, directoryServerVersions: directoryServerVersions(pres) }
}

export function countRanges({ byLength }: CardRangeTable): number {
  return [...byLength.values()].reduce((sum, ranges) => sum + ranges.length, 0)
}

/** The range of a card number; null when no access control server of this directory server has it. */
export function lookUp({ byLength }: CardRangeTable, number: string): CardRange | null {
  const ranges = byLength.get(number.length) ?? []
  const range = ranges[placeAfter(ranges, number) - 1]
  return range !== undefined && number <= range.end ? range : null
}

/** The ranges that have numbers with a beginning, the shorter numbers first. */
export function rangesBeginningWith({ byLength }: CardRangeTable, beginning: string): readonly CardRange[] {
  return [...byLength]
    .toSorted(([one], [other]) => one - other)
    .flatMap(([length, ranges]) => {
      if (beginning.length > length) return []
      const [first, last] = [beginning.padEnd(length, '0'), beginning.padEnd(length, '9')]
      const from = placeAfter(ranges, first)
      const before = ranges[from - 1]
      const within = ranges.slice(from, placeAfter(ranges, last))
      return before !== undefined && before.end >= first ? [before, ...within] : within
    })
}

function rangesOf({ ranges, acsProtocolVersions, dsProtocolVersions }: CardRangeEntry): readonly CardRange[] {
  return ranges.map(({ startRange, endRange }) => ({
    start: startRange,
    end: endRange,
    acsVersions: acsProtocolVersions,
    directoryServerVersions: dsProtocolVersions ?? null,
  }))
}

/** Copies of the lists of a table, changed in order. A change in a list of n ranges moves at most n entries. */
function createChanges({ byLength: before }: CardRangeTable) {
  const byLength = new Map<number, CardRange[]>([...before].map(([length, ranges]) => [length, [...ranges]]))

  function listOf(length: number): CardRange[] {
    const known = byLength.get(length)
    if (known !== undefined) return known
    const created: CardRange[] = []
    byLength.set(length, created)
    return created
  }

  return {
    byLength,
    /** The code of the objection; null when the change was made. */
    apply(action: 'A' | 'M' | 'D', range: CardRange): '205' | '206' | null {
      const ranges = listOf(range.start.length)
      const place = placeAfter(ranges, range.start)
      const [previous, next] = [ranges[place - 1], ranges[place]]
      if (action === 'A') {
        const overlaps =
          (previous !== undefined && previous.end >= range.start) || (next !== undefined && next.start <= range.end)
        if (overlaps) return '205'
        ranges.splice(place, 0, range)
        return null
      }
      if (previous?.start !== range.start || previous.end !== range.end) return '206'
      if (action === 'M') ranges[place - 1] = range
      else ranges.splice(place - 1, 1)
      return null
    },
  }
}

/** How many ranges start at or before a number: binary search. Digits of one length are in order as texts. */
function placeAfter(ranges: readonly CardRange[], number: string): number {
  let [low, high] = [0, ranges.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((ranges[middle]?.start ?? '') <= number) low = middle + 1
    else high = middle
  }
  return low
}
