// test/unit/store/online-copy.test.ts — several databases are copied as they were at one moment, while another process writes.
import { equal, ok, rejects } from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { onTestFinished, test } from 'vitest'
import { copyAtOneMoment } from '../../../src/store/sqlite/online-copy.ts'

/** More pages than are copied at a time, so that writes come between two slices. */
const BALLAST = 24_000_000

/** Counts in the first database, then in the second, and again, until it is killed. */
const WRITER = `
  const Database = require(${JSON.stringify(createRequire(import.meta.url).resolve('better-sqlite3'))})
  const [one, other] = process.argv.slice(1).map(file => new Database(file, { timeout: 60000 }))
  for (let count = 1; count < 1e9; count += 1) {
    one.prepare('UPDATE counter SET count = ?').run(count)
    other.prepare('UPDATE counter SET count = ?').run(count)
    if (count === 10) process.stdout.write('counting')
  }
`

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'tollgate-copy-'))
  onTestFinished(() => rmSync(path, { recursive: true, force: true }))
  return path
}

function counter(file: string, ballast: number): string {
  const database = new Database(file)
  database.pragma('journal_mode = WAL')
  database.exec(
    'CREATE TABLE counter (count INTEGER NOT NULL); INSERT INTO counter VALUES (0); CREATE TABLE ballast (text)',
  )
  database.prepare('INSERT INTO ballast VALUES (?)').run('x'.repeat(ballast))
  database.close()
  return file
}

function countIn(file: string): number {
  const database = new Database(file, { readonly: true })
  try {
    equal(database.pragma('integrity_check', { simple: true }), 'ok')
    return Number(database.prepare('SELECT count FROM counter').pluck().get())
  } finally {
    database.close()
  }
}

test('neither copy is of another moment than the other, and a writer does not make them begin anew', async () => {
  const from = folder()
  const [one, other] = [counter(join(from, 'one.db'), BALLAST), counter(join(from, 'other.db'), 0)]
  const writer = spawn(process.execPath, ['-e', WRITER, one, other], { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void writer.kill('SIGKILL'))
  await once(writer.stdout, 'data')
  for (let round = 0, last = 0; round < 5; round += 1) {
    const to = folder()
    const copies = [one, other].map((file, index) => ({ from: file, to: join(to, `${index}.db`) }))
    let slices = 0
    let before = -1
    await copyAtOneMoment(copies, {
      onMoment: () => (before = countIn(one)),
      onProgress: (copy, bytes, of) => {
        ok(bytes <= of)
        if (copy === copies[0]) slices += 1
      },
    })
    ok(slices >= 2 && slices < 10, `${slices} slices`)
    const [first = -1, second = -1] = copies.map(copy => countIn(copy.to))
    ok(first === second || first === second + 1, `${first} and ${second}`)
    ok(first > last && first <= before, `${first} after ${last}, not later than ${before}`)
    equal(readdirSync(to).length, 2, 'each is one file')
    last = first
  }
})

test('what the watch throws ends the copy', async () => {
  const from = counter(join(folder(), 'one.db'), BALLAST)
  const watch = {
    onMoment: () => {},
    onProgress: () => {
      throw new Error('enough')
    },
  }
  await rejects(copyAtOneMoment([{ from, to: join(folder(), 'copy.db') }], watch), /enough/)
})

test('a file that is no database is not copied', async () => {
  const from = join(folder(), 'letter.db')
  writeFileSync(from, 'A letter, and no database.'.repeat(200))
  const watch = { onMoment: () => {}, onProgress: () => {} }
  await rejects(copyAtOneMoment([{ from, to: join(folder(), 'copy.db') }], watch), { code: 'SQLITE_NOTADB' })
})
