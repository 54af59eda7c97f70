// test/upgrade/record-manifest.ts — records how version 0.1 decodes its data directory, and its answers after a take-over
// when no work is left.
import { rmSync } from 'node:fs'
import { type Manifest, unpackDirectory, writeManifest, writeRecorded } from './fixture.ts'
import { type OpenedDirectory, openDirectory } from './program/opened-directory.ts'
import { askAll, knownFrom } from './questions.ts'
import { questionsAbout } from './questions-about.ts'
import { endOf, liveToTheEnd, restoreSnapshot, START_AFTER_MS } from './take-over.ts'

/** The part of the manifest that the maker provides. */
export type Made = Omit<Manifest, 'clocks' | 'questions' | 'program'>

/** Works on copies of the packed directory. */
export async function recordManifest(made: Made): Promise<void> {
  const { credentials, actions, tokens, killedAt } = made
  const first = await onCopy(killedAt, async opened => {
    const records = await opened.records()
    const accounts = [...new Set(records.map(({ account }) => account))]
    const clocks = Object.fromEntries(accounts.map(account => [account, opened.now(account)]))
    writeRecorded('records-at-kill', { records, idempotency: await opened.idempotency() })
    return { records, clocks }
  })
  const { records, clocks } = first
  const known = knownFrom(records, clocks, Object.values(tokens).flat())
  const asking = credentials.map(({ account }) => account)
  const questions = questionsAbout(records, asking, tokens)
  const manifest: Manifest = { ...made, program: '0.1.0', clocks, questions }
  writeManifest(manifest)
  await onCopy(killedAt + START_AFTER_MS, async opened => {
    await opened.start()
    const acted = await askAll(opened, credentials, actions, known)
    await liveToTheEnd(opened, credentials)
    // Before the requests: some of them create records.
    writeRecorded('end', await endOf(opened))
    const answers = await askAll(opened, credentials, manifest.questions, known)
    writeRecorded('answers', { actions: acted, questions: answers })
  })
  await onCopy(killedAt + START_AFTER_MS, async opened => {
    await opened.start()
    writeRecorded('records-of-snapshot', await restoreSnapshot(opened, credentials))
  })
}

async function onCopy<T>(at: number, work: (opened: OpenedDirectory) => Promise<T>): Promise<T> {
  const directory = unpackDirectory()
  try {
    const opened = await openDirectory(directory, { at })
    try {
      return await work(opened)
    } finally {
      await opened.close()
    }
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}
