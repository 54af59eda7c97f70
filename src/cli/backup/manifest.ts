// src/cli/backup/manifest.ts — the manifest of a backup: what it holds, of which moment and program, with checksums.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import { NEWEST_SCHEMA } from '../../store/sqlite/inspection.ts'
import { Failure } from '../failure.ts'
import { DATABASE, KNOWN_FILES, MODE } from './contents.ts'

/** Written last, so that a directory without it is no backup. */
export const MANIFEST = 'manifest.json'

/** Grows when an older program would restore a backup wrongly. */
const FORMAT = 1

const COUNT = Type.Integer({ minimum: 0 })

const SHAPE = Type.Object({
  format: Type.Literal(FORMAT),
  /** Version of the program that made the backup. */
  version: Type.String(),
  schema: COUNT,
  mode: Type.Union([Type.Literal('sandbox'), Type.Literal('live')]),
  /** The moment whose state it holds, RFC 3339. */
  takenAt: Type.String({ pattern: String.raw`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$` }),
  records: COUNT,
  events: COUNT,
  files: Type.Array(
    Type.Object({ name: Type.String(), bytes: COUNT, sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }) }),
  ),
  /** Keys that the gateway needs and this backup does not hold. */
  keysApart: Type.Array(Type.String()),
})

export type Manifest = Static<typeof SHAPE>

export function manifestOf(made: Omit<Manifest, 'format'>): Manifest {
  return { format: FORMAT, ...made }
}

/** Reads the manifest of a backup. @throws Failure when it is missing, damaged, or of a newer program */
export function readManifest(backup: string): Manifest {
  const file = join(backup, MANIFEST)
  const content = contentOf(backup, file)
  if (typeof content === 'object' && content !== null && 'format' in content && Number(content.format) > FORMAT)
    throw new Failure(`${backup} was made by a newer Tollgate; restore it with that version.`)
  if (!Value.Check(SHAPE, content) || !namesWhatItMust(content)) throw new Failure(damaged(file))
  if (content.schema > NEWEST_SCHEMA)
    throw new Failure(
      `${backup} was made by Tollgate ${content.version} with a newer database (schema ${content.schema}, ` +
        `this program knows ${NEWEST_SCHEMA}); restore it with that version.`,
    )
  return content
}

export function damaged(file: string): string {
  return `${file} is damaged; restore another backup.`
}

function contentOf(backup: string, file: string): unknown {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    throw new Failure(`${backup} is no complete backup: it has no ${MANIFEST} that can be read.`, { cause: error })
  }
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new Failure(damaged(file), { cause: error })
  }
}

/** Names are checked, because files are written under them. */
function namesWhatItMust({ files }: Manifest): boolean {
  const names = new Set(files.map(({ name }) => name))
  const known = files.every(({ name }) => KNOWN_FILES.has(name))
  return known && names.size === files.length && names.has(DATABASE) && names.has(MODE)
}
