// src/cli/timeline-note.ts — keeps the newest timeline that a gateway has met in its data directory, for its next start. ADR 73.
import { join } from 'node:path'
import type { Config } from '../config.ts'
import { createTimelines, type Timeline, type Timelines } from '../store/postgres/timelines.ts'
import { readNote, writeNote } from './data-mode.ts'
import { Failure } from './failure.ts'

type Directory = Pick<Config, 'dataDirectory'>

/** What is known at a start. @throws Failure when the note is damaged; Fault `store_unwritable` */
export function timelinesOf(config: Directory): Timelines {
  return createTimelines(notedTimeline(config))
}

/** Notes a timeline. @throws Fault `store_unwritable` */
export function noteTimeline(config: Directory, { cluster, number }: Timeline): void {
  writeNote(fileOf(config), `${cluster} ${number}`)
}

function notedTimeline(config: Directory): Timeline | null {
  const file = fileOf(config)
  const noted = readNote(file)
  if (noted === null) return null
  const [, cluster, number] = /^(\d+) (\d+)$/.exec(noted) ?? []
  if (cluster === undefined) throw new Failure(`${file} is damaged; remove it once the old primary cannot come back.`)
  return { cluster, number: Number(number) }
}

function fileOf({ dataDirectory }: Directory): string {
  return join(dataDirectory, 'timeline')
}
