// test/cli/backup.test.ts — `tollgate backup` beside a gateway under load, and `tollgate restore` of what it made.
import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  watch,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, test } from 'vitest'
import type { Manifest } from '../../src/cli/backup/manifest.ts'
import { begin, call, type Ended, type Env, emptyDirectory, run, runJson, serving, startSale } from './tollgate.ts'

type Transaction = Readonly<Record<string, unknown>>

/** Terminals whose sales end by themselves. */
const BUSY = ['VCMDEMOSIP0', 'VCMDEMODIP0', 'VCMDEMOSCD0', 'VCMDEMOCIP0']

/** Reads a transaction until it has ended. */
async function endOf(address: string): Promise<Transaction> {
  for (let tag = ''; ; ) {
    const headers = { prefer: 'wait=20', ...(tag === '' ? {} : { 'if-none-match': tag }) }
    const answer = await call(address, { headers })
    if (answer.status === 304) continue
    equal(answer.status, 200, address)
    tag = answer.headers.get('etag') ?? ''
    const body = (await answer.json()) as Transaction
    if ('transactionResult' in body) return body
  }
}

const pathOf = (address: string) => new URL(address).pathname
const withoutAddress = ({ location: _, ...body }: Transaction) => body

/** A stopped gateway's directory with an ended sale, and its backup with keys. */
async function backedUp(options: readonly string[] = ['--with-keys'], env: Env = {}) {
  const data = emptyDirectory()
  const gateway = await serving(data, env)
  await endOf(await startSale(gateway.summary.url, 'VCMDEMOSIP0'))
  // Something for the vault.
  equal((await call(`${gateway.summary.url}/api/webhook-secret`)).status, 200)
  await gateway.stop()
  const backup = join(emptyDirectory(), 'backup')
  const manifest = await runJson<Manifest>(['backup', backup, '--data', data, ...options], env)
  return { data, backup, manifest }
}

const restore = (backup: string, data: string, env: Env = {}): Promise<Ended> =>
  run(['restore', backup, '--data', data], env)

async function isHealthy(data: string): Promise<void> {
  const { healthy, findings } = await runJson<{ healthy: boolean; findings: object[] }>(['doctor', '--data', data])
  ok(healthy, JSON.stringify(findings))
}

test('what was acknowledged before the command began is in a backup taken under load', async () => {
  const data = emptyDirectory()
  const gateway = await serving(data)
  const { url } = gateway.summary
  /** What the tills know: null for a sale that has not ended. */
  const book = new Map<string, Transaction | null>()
  let enough = false
  const sell = async (tid: string) => {
    while (!enough && book.size < 5_000) {
      const address = await startSale(url, tid)
      book.set(pathOf(address), null)
      book.set(pathOf(address), await endOf(address))
    }
  }
  const tills = BUSY.map(sell)
  const look = AbortSignal.timeout(20_000)
  while (book.size < 80) await Promise.race([call(`${url}/health/live`), once(look, 'abort')])
  const acknowledged = new Map(book)
  const backup = join(emptyDirectory(), 'of', 'today')
  const manifest = await runJson<Manifest>(['backup', backup, '--data', data, '--with-keys'])
  const during = book.size - acknowledged.size
  enough = true
  await Promise.all(tills)
  await gateway.stop()
  ok(during > 0, 'nothing happened while the backup was made')
  ok(manifest.records > acknowledged.size)

  const restored = join(emptyDirectory(), 'data')
  equal((await restore(backup, restored)).code, 0)
  await isHealthy(restored)
  const again = await serving(restored)
  for (const [path, known] of acknowledged) {
    const now = await endOf(again.summary.url + path)
    if (known !== null) deepEqual(withoutAddress(now), withoutAddress(known), path)
  }
  equal((await again.stop()).code, 0)
  await isHealthy(restored)
})

test.concurrent('a sale under way goes on in the restored gateway', async () => {
  const data = emptyDirectory()
  const gateway = await serving(data, { TOLLGATE_PACE: '400' })
  const path = pathOf(await startSale(gateway.summary.url, 'VCMDEMOSIP0'))
  const backup = join(emptyDirectory(), 'backup')
  await runJson(['backup', backup, '--data', data, '--with-keys'])
  const { notifications } = (await (await call(gateway.summary.url + path)).json()) as { notifications: string[] }
  ok(!notifications.includes('TRANSACTION_FINISHED'), 'the backup came after the sale')
  gateway.child.kill('SIGKILL')
  await gateway.ended
  const restored = emptyDirectory()
  equal((await restore(backup, restored)).code, 0)
  const again = await serving(restored)
  const end = await endOf(again.summary.url + path)
  equal(end['transactionResult'], 'SUCCESSFUL')
})

test.concurrent('a restored gateway gives out no cursor twice', async () => {
  const data = emptyDirectory()
  const gateway = await serving(data)
  const backup = join(emptyDirectory(), 'backup')
  await runJson(['backup', backup, '--data', data, '--with-keys'])
  await endOf(await startSale(gateway.summary.url, 'VCMDEMOSIP0'))
  const eventsAfter = async (url: string, cursor: number) => {
    const answer = await call(`${url}/api/events?limit=200&after=${cursor}`)
    return (await answer.json()) as { readonly events: readonly { readonly type: string }[]; readonly next: number }
  }
  const { next, events } = await eventsAfter(gateway.summary.url, 0)
  ok(events.length > 0)
  await gateway.stop()
  const restored = emptyDirectory()
  equal((await restore(backup, restored)).code, 0)
  const { url } = (await serving(restored)).summary
  deepEqual((await eventsAfter(url, next)).events, [])
  await endOf(await startSale(url, 'VCMDEMOSIP0'))
  equal((await eventsAfter(url, next)).events[0]?.type, 'started')
})

describe('a backup', () => {
  test.concurrent('names what it holds, and is readable by its owner only', async () => {
    const data = emptyDirectory()
    await (await serving(data)).stop()
    const backup = join(emptyDirectory(), 'backup')
    const launcher = ['sh', '-c', 'umask 0; exec "$@"', 'sh']
    const { code, stdout, stderr } = await begin(['backup', backup, '--data', data], {}, launcher).ended
    deepEqual([code, stderr], [0, ''])
    match(
      stdout,
      /is complete and checked\.\n {2}as of {5}\d{4}-.*\n {2}gateway .*sandbox mode, schema \d+\n {2}contents {2}\d+ records/,
    )
    match(stdout, /\nNot in it: token-key\.pem, vault\.key\. Keep copies of these apart from the backup\.\n$/)
    const manifest = JSON.parse(readFileSync(join(backup, 'manifest.json'), 'utf8')) as Manifest
    deepEqual(
      manifest.files.map(({ name }) => name),
      ['tollgate.db', 'sandbox.db', 'mode'],
    )
    deepEqual(readdirSync(backup).sort(), ['manifest.json', 'mode', 'sandbox.db', 'tollgate.db'])
    for (const { name, bytes, sha256 } of manifest.files) {
      const content = readFileSync(join(backup, name))
      deepEqual([content.length, createHash('sha256').update(content).digest('hex')], [bytes, sha256])
    }
    equal(statSync(backup).mode & 0o777, 0o700)
    for (const name of readdirSync(backup)) equal(statSync(join(backup, name)).mode & 0o777, 0o600, name)
  })

  test.concurrent('of a live gateway names the setting with the key of its vault', async () => {
    const env = {
      ...{ TOLLGATE_MODE: 'live', TOLLGATE_TRUSTED_PROXY: '127.0.0.1' },
      TOLLGATE_VAULT_KEY: Buffer.alloc(32, 7).toString('base64'),
    }
    const data = emptyDirectory()
    await (await serving(data, env)).stop()
    const backup = join(emptyDirectory(), 'backup')
    const manifest = await runJson<Manifest>(['backup', backup, '--data', data, '--with-keys'], env)
    deepEqual([manifest.mode, manifest.keysApart], ['live', ['TOLLGATE_VAULT_KEY']])
    const restored = emptyDirectory()
    const { code, stdout } = await restore(backup, restored, env)
    equal(code, 0)
    match(stdout, /^[^\n]+ is restored as of [^\n]+\n$/, 'the key of the vault is set')
    equal((await (await serving(restored, env)).stop()).code, 0)
  })

  test.concurrent('is refused where there is something, and where there is no gateway', async () => {
    const { data, backup } = await backedUp()
    const again = await run(['backup', backup, '--data', data])
    deepEqual([again.code, again.stdout], [1, ''])
    match(again.stderr, /^tollgate: .*backup exists already; name a directory that does not\.\n$/)
    const none = await run(['backup', join(emptyDirectory(), 'backup'), '--data', emptyDirectory()])
    deepEqual([none.code, none.stdout], [1, ''])
    match(none.stderr, /holds no gateway yet/)
    equal((await run(['backup'])).code, 2)
  })

  test.concurrent('of a damaged, lost, foreign or newer database is refused and leaves nothing', async () => {
    const { data } = await backedUp()
    const places = emptyDirectory()
    const sentenceFor = async (spoil: (copy: string) => void) => {
      const copy = join(emptyDirectory(), 'data')
      cpSync(data, copy, { recursive: true })
      spoil(copy)
      const { code, stdout, stderr } = await run(['backup', join(places, 'backup'), '--data', copy])
      deepEqual({ code, stdout, left: readdirSync(places) }, { code: 1, stdout: '', left: [] })
      equal(stderr.trim().split('\n').length, 1, stderr)
      return stderr
    }
    match(await sentenceFor(copy => rmSync(join(copy, 'tollgate.db'))), /is missing, although this directory has been/)
    match(
      await sentenceFor(copy => writeFileSync(join(copy, 'tollgate.db'), 'A letter, and no database.'.repeat(200))),
      /tollgate\.db is damaged or not a Tollgate database/,
    )
    match(
      await sentenceFor(copy => damageIndex(join(copy, 'tollgate.db'))),
      /tollgate\.db is damaged or not a Tollgate database/,
    )
    match(
      await sentenceFor(copy => inDatabase(join(copy, 'tollgate.db'), "INSERT INTO migrations VALUES (99, 'later')")),
      /was written by a newer Tollgate/,
    )
  })
})

describe('of much data', () => {
  /** Enough that a kill comes before the end. */
  const BALLAST_DOCUMENTS = 150
  const much = backedUp().then(async ({ data }) => {
    const sandbox = new Database(join(data, 'sandbox.db'))
    const insert = sandbox.prepare("INSERT INTO documents (shelf, key, parent, body) VALUES ('scenario', ?, 'demo', ?)")
    const body = 'x'.repeat(1_000_000)
    for (let count = 0; count < BALLAST_DOCUMENTS; count += 1) insert.run(`ballast-${count}`, body)
    sandbox.close()
    return { data, backup: join(emptyDirectory(), 'backup') }
  })

  /** A slow machine shows the progress before it. */
  const lastLine = (sentence: string) => new RegExp(`^(\\w+ing \\S+(: \\d+ of \\d+ MB)?\\n)*${sentence}\\n$`)

  /** Runs a command and sends it a signal as soon as it makes something with `name` in its name in a directory. */
  async function interrupted(
    args: readonly string[],
    { signal, directory, name }: { signal: 'SIGKILL' | 'SIGINT'; directory: string; name: string },
  ): Promise<Ended> {
    const watcher = watch(directory)
    const appeared = new Promise<void>(resolve =>
      watcher.on('change', (_, found) => {
        if (String(found).includes(name)) resolve()
      }),
    )
    const running = begin(args)
    await appeared
    running.child.kill(signal)
    watcher.close()
    return running.ended
  }

  test('a backup that is killed leaves nothing that restore accepts, and is not in the way of the next', async () => {
    const { data, backup } = await much
    const places = dirname(backup)
    const { signal } = await interrupted(['backup', backup, '--data', data, '--with-keys'], {
      signal: 'SIGKILL',
      directory: places,
      name: 'draft',
    })
    equal(signal, 'SIGKILL')
    const [left = '', ...others] = readdirSync(places)
    deepEqual([existsSync(backup), others], [false, []])
    const { code, stderr } = await restore(join(places, left), emptyDirectory())
    equal(code, 1)
    match(stderr, /is no complete backup: it has no manifest\.json that can be read\.\n$/)
    equal((await run(['backup', backup, '--data', data, '--with-keys'])).code, 0)
  })

  test('a backup that is stopped removes what it has written', async () => {
    const { data } = await much
    const places = emptyDirectory()
    const { code, stderr } = await interrupted(['backup', join(places, 'backup'), '--data', data], {
      signal: 'SIGINT',
      directory: places,
      name: 'draft',
    })
    equal(code, 1)
    match(stderr, lastLine('tollgate: Stopped by SIGINT; there is no backup.'))
    deepEqual(readdirSync(places), [])
  })

  test('a restore that is killed leaves a directory on which no gateway starts, and no restore goes on', async () => {
    const { backup } = await much
    const data = emptyDirectory()
    equal(
      (
        await interrupted(['restore', backup, '--data', data], {
          signal: 'SIGKILL',
          directory: data,
          name: 'sandbox.db',
        })
      ).signal,
      'SIGKILL',
    )
    const left = readdirSync(data)
    ok(left.includes('mode') && !left.includes('tollgate.db'), String(left))
    const { code, stderr } = await run(['serve', '--data', data])
    equal(code, 1)
    match(stderr, /tollgate\.db is missing, although this directory has been in use; restore it from a backup/)
    match((await restore(backup, data)).stderr, /is not empty \(/)
  })

  test('a restore that is stopped leaves the directory empty', async () => {
    const { backup } = await much
    const data = emptyDirectory()
    const { code, stderr } = await interrupted(['restore', backup, '--data', data], {
      signal: 'SIGINT',
      directory: data,
      name: 'sandbox.db',
    })
    equal(code, 1)
    match(stderr, lastLine('tollgate: Stopped by SIGINT; nothing was restored.'))
    deepEqual(readdirSync(data), ['tollgate.lock'])
  })
})

describe('keys that are not in the backup', () => {
  test.concurrent('are named, and may be in place before or put there after', async () => {
    const { data, backup } = await backedUp([])
    const restored = emptyDirectory()
    copyFileSync(join(data, 'token-key.pem'), join(restored, 'token-key.pem'))
    const { code, stdout, stderr } = await restore(backup, restored)
    equal(code, 0, stderr)
    match(stdout, /\nNot in the backup, and needed before the gateway starts: vault\.key\.\n$/)
    match(
      stderr,
      /^tollgate: Warning: Payments after \d{4}-.* are known to acquirers and terminals and not to this gateway:/,
    )
    const early = await run(['serve', '--data', restored])
    equal(early.code, 1)
    match(early.stderr, /^tollgate: The vault holds entries under key \w+, which is not among the configured keys;/)
    copyFileSync(join(data, 'vault.key'), join(restored, 'vault.key'))
    await isHealthy(restored)
    equal((await (await serving(restored)).stop()).code, 0)
  })

  test.concurrent('are not in the way of those that are', async () => {
    const { data, backup } = await backedUp()
    const restored = emptyDirectory()
    copyFileSync(join(data, 'vault.key'), join(restored, 'vault.key'))
    const { code, stderr } = await restore(backup, restored)
    equal(code, 1)
    match(stderr, /is not empty \(vault\.key\)/)
  })
})

describe('restore', () => {
  const made = backedUp()

  /** Restores a spoilt copy of the backup, which must be refused and leave the directory as it was. */
  async function refusal(spoil: (copy: string, data: string) => void, env: Env = {}): Promise<string> {
    const copy = join(emptyDirectory(), 'backup')
    cpSync((await made).backup, copy, { recursive: true })
    const data = emptyDirectory()
    spoil(copy, data)
    const before = readdirSync(data)
    const { code, stdout, stderr } = await restore(copy, data, env)
    deepEqual({ code, stdout, left: readdirSync(data) }, { code: 1, stdout: '', left: before })
    equal(stderr.trim().split('\n').length, 1, stderr)
    return stderr
  }

  const inManifest = (change: (manifest: Manifest) => object) => (copy: string) => {
    const file = join(copy, 'manifest.json')
    const manifest = JSON.parse(readFileSync(file, 'utf8')) as Manifest
    writeFileSync(file, JSON.stringify({ ...manifest, ...change(manifest) }))
  }

  test.concurrent('is the same with permissions for the owner alone', async () => {
    const { backup, data } = await made
    const restored = join(emptyDirectory(), 'new', 'data')
    const launcher = ['sh', '-c', 'umask 0; exec "$@"', 'sh']
    const { code } = await begin(['restore', backup, '--data', restored, '--json'], {}, launcher).ended
    equal(code, 0)
    equal(statSync(restored).mode & 0o777, 0o700)
    const names = readdirSync(restored)
    deepEqual(
      names.toSorted(),
      ['mode', 'sandbox.db', 'tollgate.db', 'tollgate.lock', 'token-key.pem', 'vault.key'].sort(),
    )
    for (const name of names) equal(statSync(join(restored, name)).mode & 0o777, 0o600, name)
    for (const name of ['token-key.pem', 'vault.key', 'mode'])
      deepEqual(readFileSync(join(restored, name)), readFileSync(join(data, name)), name)
  })

  test.concurrent.each<[string, (copy: string, data: string) => void, RegExp, Env?]>([
    [
      'a directory that is not empty',
      (_, data) => writeFileSync(join(data, 'notes.txt'), ''),
      /is not empty \(notes\.txt\); name an empty/,
    ],
    [
      'a directory with a database',
      (_, data) => writeFileSync(join(data, 'tollgate.db'), ''),
      /is not empty \(tollgate\.db\)/,
    ],
    [
      'another mode',
      () => {},
      /is of a gateway in sandbox mode; restore it with TOLLGATE_MODE=sandbox/,
      { TOLLGATE_MODE: 'live' },
    ],
    ['no manifest', copy => rmSync(join(copy, 'manifest.json')), /is no complete backup: it has no manifest\.json/],
    [
      'half a manifest',
      copy => writeFileSync(join(copy, 'manifest.json'), '{"format":1,'),
      /manifest\.json is damaged; restore another/,
    ],
    ['a manifest without checksums', inManifest(() => ({ files: [] })), /manifest\.json is damaged/],
    [
      'a name that leads elsewhere',
      inManifest(({ files }) => ({ files: [...files, { ...files[0], name: '../tollgate.db' }] })),
      /manifest\.json is damaged/,
    ],
    ['a newer format', inManifest(() => ({ format: 2 })), /was made by a newer Tollgate; restore it with that version/],
    [
      'a newer schema',
      inManifest(() => ({ schema: 99, version: '9.0.0' })),
      /was made by Tollgate 9\.0\.0 with a newer database \(schema 99/,
    ],
    ['a missing file', copy => rmSync(join(copy, 'sandbox.db')), /sandbox\.db is damaged; restore another backup/],
    ['a file that was changed', copy => writeFileSync(join(copy, 'mode'), 'live\n'), /mode is damaged/],
    ['a flipped bit', copy => flipBit(join(copy, 'tollgate.db')), /tollgate\.db is damaged/],
    [
      'a database that is damaged behind right checksums',
      copy => {
        damageIndex(join(copy, 'tollgate.db'))
        sign(copy, 'tollgate.db')
      },
      /tollgate\.db is damaged/,
    ],
    [
      'a newer database behind the right schema',
      copy => {
        inDatabase(join(copy, 'tollgate.db'), "INSERT INTO migrations VALUES (99, 'later')")
        sign(copy, 'tollgate.db')
      },
      /tollgate\.db is damaged/,
    ],
  ])('refuses %s', async (_, spoil, sentence, env) => {
    match(await refusal(spoil, env), sentence)
  })

  test.concurrent('refuses the directory of a running gateway', async () => {
    const data = emptyDirectory()
    await serving(data)
    const { code, stderr } = await restore((await made).backup, data)
    equal(code, 1)
    match(stderr, /^tollgate: A gateway runs on .*; stop it, or name another directory with --data\.\n$/)
  })

  test.concurrent('takes a new volume for empty', async () => {
    const data = emptyDirectory()
    mkdirSync(join(data, 'lost+found'))
    equal((await restore((await made).backup, data)).code, 0)
  })
})

function inDatabase(file: string, sql: string): void {
  const database = new Database(file)
  database.exec(sql)
  database.close()
}

/** Makes an index differ from its table, which only SQLite's check of the whole file finds. */
function damageIndex(file: string): void {
  const database = new Database(file)
  database.unsafeMode(true)
  database.pragma('writable_schema = ON')
  database.exec("UPDATE sqlite_schema SET sql = replace(sql, '(record,', '(version,') WHERE name = 'events_of_record'")
  database.close()
}

function flipBit(file: string): void {
  const content = readFileSync(file)
  const at = Math.floor(content.length / 2)
  content[at] = (content[at] ?? 0) ^ 1
  writeFileSync(file, content)
}

/** Gives a changed file its right size and checksum. */
function sign(copy: string, changed: string): void {
  const file = join(copy, 'manifest.json')
  const manifest = JSON.parse(readFileSync(file, 'utf8')) as Manifest
  const content = readFileSync(join(copy, changed))
  const digest = { bytes: content.length, sha256: createHash('sha256').update(content).digest('hex') }
  const files = manifest.files.map(each => (each.name === changed ? { ...each, ...digest } : each))
  writeFileSync(file, JSON.stringify({ ...manifest, files }))
}
