// src/store/copy/copy-store.ts — copies all rows of a store in batches, and compares them one by one at the end. ADR 67.
import { createHash } from 'node:crypto'
import { NEWEST_SCHEMA } from '../sqlite/inspection.ts'
import { type Cell, comparable, endsBelow, type Row, SECTIONS, type Section } from './sections.ts'
import { type CopiedSection, CopyProblem, type CopySource, type CopyTarget, inSentence } from './sides.ts'

/** Rows of a batch, at first and at most. A larger batch saves little more. */
const FIRST_ROWS = 200
const MOST_ROWS = 2_000
/** A batch is to have about this many characters, so that long rows do not fill the memory. */
const BATCH_LENGTH = 2_000_000

export interface CopyWatch {
  /** Called after each batch. What it throws stops the copy, which can go on later. */
  onRows(phase: 'copying' | 'comparing', section: string, rows: number, of: number): void
}

/**
 * Names the state of a source: another one, or the same after a change, has another stamp. An unfinished copy goes on only
 * with the stamp that it began with.
 */
export async function stampOf(source: CopySource): Promise<string> {
  const counts: number[] = []
  const firsts: (Row | undefined)[] = []
  for (const section of SECTIONS) {
    counts.push(await source.count(section))
    firsts.push((await source.page(section, null, 1))[0])
  }
  const state = {
    schema: NEWEST_SCHEMA,
    ends: await source.ends(),
    changedAt: await source.changedAt(),
    counts,
    firsts,
  }
  return createHash('sha256').update(JSON.stringify(state)).digest('hex')
}

/**
 * Copies what is missing, compares everything and opens the target to gateways. Returns what was compared.
 * @throws CopyProblem when something differs; faults of the stores; what `watch` throws
 */
export async function copyStore(
  source: CopySource,
  target: CopyTarget,
  watch: CopyWatch,
): Promise<readonly CopiedSection[]> {
  let verified = target.state.verified
  if (verified === null) {
    await copyRows(source, target, watch)
    const ends = await source.ends()
    await target.moveEnds(ends)
    verified = await compareRows(source, target, watch)
    const below = endsBelow(await target.ends(), ends)
    if (below.length > 0)
      throw new CopyProblem(
        `${target.where} would give out again numbers of ${inSentence(source.where)}: ${below.join(', ')}.`,
      )
  }
  await target.release(verified)
  return verified
}

async function copyRows(source: CopySource, target: CopyTarget, { onRows }: CopyWatch): Promise<void> {
  const from = target.state
  for (const [index, section] of SECTIONS.entries()) {
    if (index < from.sections) continue
    const isResumed = index === from.sections
    const of = await source.count(section)
    let rows = isResumed ? from.rows : 0
    const start = isResumed ? from.after : null
    for await (const page of pagesOf(source, section, start)) {
      rows += page.length
      const last = page.at(-1) ?? []
      const after = source.placeOf(section, last)
      await target.write(section, page, { sections: index, after, rows, verified: null })
      onRows('copying', section.name, rows, of)
    }
    await target.write(section, [], { sections: index + 1, after: null, rows: 0, verified: null })
  }
}

/** Each row of the source is in the target and equal, and the target has as many: so it has no other. */
async function compareRows(
  source: CopySource,
  target: CopyTarget,
  { onRows }: CopyWatch,
): Promise<readonly CopiedSection[]> {
  const compared: CopiedSection[] = []
  for (const section of SECTIONS) {
    const of = await source.count(section)
    const [ours, theirs] = [createHash('sha256'), createHash('sha256')]
    let rows = 0
    for await (const page of pagesOf(source, section, null)) {
      const found = await target.find(section, page)
      for (const [index, row] of page.entries()) {
        const [expected, stored] = [textOf(section, row), textOf(section, found[index])]
        ours.update(expected)
        theirs.update(stored)
        if (expected !== stored) throw differs(source, target, section, row, found[index])
      }
      rows += page.length
      onRows('comparing', section.name, rows, of)
    }
    const stored = await target.count(section)
    if (rows !== of || rows !== stored)
      throw new CopyProblem(
        `${target.where} has ${stored} rows of ${section.name}, and ${inSentence(source.where)} has ${of}, of which ${rows} can be read; ` +
          'the copy is not finished. Empty the target and copy again.',
      )
    const sha256 = ours.digest('hex')
    if (theirs.digest('hex') !== sha256) throw new Error('equal rows have different digests')
    compared.push({ name: section.name, rows, sha256 })
  }
  return compared
}

/** Reads a section in batches of about equal length. */
async function* pagesOf(
  source: CopySource,
  section: Section,
  start: readonly Cell[] | null,
): AsyncGenerator<readonly Row[]> {
  let after = start
  for (let limit = FIRST_ROWS; ; ) {
    const page = await source.page(section, after, limit)
    const last = page.at(-1)
    if (last === undefined) return
    yield page
    if (page.length < limit) return
    after = source.placeOf(section, last)
    limit = nextLimit(limit, page)
  }
}

function nextLimit(limit: number, page: readonly Row[]): number {
  const length = page.reduce((sum, row) => sum + lengthOf(row), 0)
  const fitting = Math.floor((BATCH_LENGTH * page.length) / Math.max(1, length))
  // At most twice as many: the next rows may be longer.
  return Math.max(1, Math.min(fitting, limit * 2, MOST_ROWS))
}

function lengthOf(row: Row): number {
  return row.reduce<number>((sum, cell) => sum + (typeof cell === 'string' ? cell.length : 8), 0)
}

function textOf(section: Section, row: Row | undefined): string {
  return `${JSON.stringify(row === undefined ? null : comparable(section, row))}\n`
}

/** Names the row and the columns, not their contents. */
function differs(
  source: CopySource,
  target: CopyTarget,
  section: Section,
  row: Row,
  found: Row | undefined,
): CopyProblem {
  const which = `The row ${JSON.stringify(source.placeOf(section, row))} of ${section.name}`
  const rest = 'the copy is not finished. Empty the target and copy again.'
  if (found === undefined) return new CopyProblem(`${which} is not in ${inSentence(target.where)}; ${rest}`)
  const [expected, stored] = [comparable(section, row), comparable(section, found)]
  const columns = section.columns.filter((_, index) => expected[index] !== stored[index]).map(({ name }) => name)
  return new CopyProblem(`${which} is different in ${inSentence(target.where)} (${columns.join(', ')}); ${rest}`)
}
