// test/install/install.test.ts — servers install the packed tarball or a pruned clone, with Node and npm alone. ADR 56.
import { deepEqual, equal, match, notEqual, ok } from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { type Ended, npm, offerDatabaseModule, pack, ROOT, succeeded } from './npm.ts'
import { openRegistry } from './registry.ts'
import { tryGateway } from './trial.ts'

const LIMIT_MS = 300_000
/** npm's list of what it has installed. */
const INSTALLED = 'node_modules/.package-lock.json'
const MEGABYTE = 1_000_000

interface SourceMap {
  readonly sources: readonly string[]
}

const scratch = mkdtempSync(join(tmpdir(), 'tollgate-install-'))
const registry = await openRegistry(join(scratch, 'cache'))
afterAll(() => {
  registry.close()
  rmSync(scratch, { recursive: true, force: true })
})

const databaseModule = offerDatabaseModule(join(scratch, 'modules'))

/** Runs npm without a network. */
function npmHere(folder: string, ...args: readonly string[]): Promise<Ended> {
  return npm(folder, [...args, ...registry.options], databaseModule)
}

describe('the packed tarball', () => {
  const prefix = join(scratch, 'prefix')
  const folder = join(prefix, 'lib/node_modules/tollgate')

  beforeAll(async () => {
    const tarball = await pack(scratch)
    succeeded(await npmHere(scratch, 'install', '--global', '--prefix', prefix, tarball))
  }, LIMIT_MS)

  test('takes payments and serves its pages from an empty folder', { timeout: LIMIT_MS }, () =>
    tryGateway([join(prefix, 'bin/tollgate')]),
  )

  test('says what to do when the database module was not built', () => {
    const built = join(folder, 'node_modules/better-sqlite3/build')
    renameSync(built, `${built}.away`)
    try {
      const run = (...args: readonly string[]) =>
        spawnSync(join(prefix, 'bin/tollgate'), [...args, '--data', join(scratch, 'none')], { encoding: 'utf8' })
      const [serve, doctor] = [run('serve'), run('doctor')]
      equal(serve.status, 1)
      match(
        serve.stderr,
        /^tollgate: The database module \(better-sqlite3\) is not built for Node [\d.]+; install [^\n]*\n$/,
      )
      match(doctor.stdout, /^PROBLEM {2}SQLite: The database module \(better-sqlite3\) is not built for Node/m)
    } finally {
      renameSync(`${built}.away`, built)
    }
  })

  test('has no test, no source that is not read, and nothing half built', () => {
    const files = filesIn(folder).filter(file => !file.startsWith('node_modules/'))
    const expected =
      /^(package\.json|LICENSE|README\.md|CHANGELOG\.md|SECURITY\.md|bin\/tollgate\.js|src\/demo-shop\/shop\.ts|dist\/((?!bench)\w+\/)?[^/]+|deploy\/([a-z]+\/)?[^/]+|docs\/[^/]+\.md|docs\/decisions\/[^/]+\.md|docs\/pictures\/[^/]+\.png)$/
    deepEqual(
      files.filter(file => !expected.test(file) || file.endsWith('.draft')),
      [],
    )
  })

  test('has the licence of every package in it', () => {
    const sections = readFileSync(join(folder, 'dist/licences.txt'), 'utf8').split(/^(?===)/m)
    const names = sections.map(section => /^== (\S+) /.exec(section)?.[1])
    const maps = filesIn(folder).filter(file => file.startsWith('dist/') && file.endsWith('.map'))
    const sources = maps.flatMap(file => (JSON.parse(readFileSync(join(folder, file), 'utf8')) as SourceMap).sources)
    const bundled = sources.flatMap(source => /^.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(source)?.[1] ?? [])
    for (const name of ['fastify', 'credit-card-type']) ok(bundled.includes(name), name)
    deepEqual(
      [...new Set([...bundled, '@fastify/swagger-ui'])].filter(name => !names.includes(name)),
      [],
    )
    // This one names its licence and holds no text.
    const short = sections.filter(section => section.length < 500 && !section.startsWith('== abstract-logging '))
    deepEqual(short, [])
  })

  test('is as large as the guide says', () => {
    const said = Number(/takes (\d+) MB/.exec(readFileSync(join(ROOT, 'docs/operations.md'), 'utf8'))?.[1])
    const bytes = filesIn(folder).reduce((sum, file) => sum + statSync(join(folder, file)).size, 0)
    ok(Math.abs(bytes / MEGABYTE - said) <= said / 10, `${bytes} bytes are not ${said} MB`)
  })
})

describe('a clone', () => {
  test('works after its development packages are pruned', { timeout: LIMIT_MS }, async () => {
    const clone = join(scratch, 'clone')
    copyClone(clone)
    succeeded(await npmHere(clone, 'prune', '--omit=dev'))
    const left = readdirSync(join(clone, 'node_modules'))
    deepEqual([left.includes('better-sqlite3'), left.includes('tsx'), left.includes('fastify')], [true, false, false])
    await tryGateway([process.execPath, join(clone, 'bin/tollgate.js')])
  })

  test('installed without its development packages names the two ways', { timeout: LIMIT_MS }, async () => {
    const clone = join(scratch, 'production')
    mkdirSync(clone)
    for (const file of ['package.json', 'run-build.js']) cpSync(join(ROOT, file), join(clone, file))
    // The tarballs of the registry here are packed anew.
    const lock: unknown = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'))
    const loose = JSON.stringify(lock, (name, value) => (name === 'integrity' ? undefined : value))
    writeFileSync(join(clone, 'package-lock.json'), loose)
    const { code, stderr } = await npmHere(clone, 'ci', '--omit=dev')
    notEqual(code, 0)
    const lines = stderr.split('\n').filter(line => line.includes('Tollgate'))
    equal(lines.length, 1, stderr)
    match(lines[0] ?? '', /`npm ci && npm prune --omit=dev`.*`npm i -g \.\/tollgate-\d+\.\d+\.\d+\.tgz`\.$/)
  })
})

/** Paths of all files in a folder, with forward slashes. */
function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry =>
      join(entry.parentPath, entry.name)
        .slice(folder.length + 1)
        .replaceAll('\\', '/'),
    )
}

/** Copies what a clone holds after `npm ci`. Of packages for development, which npm only removes, the manifest is enough. */
function copyClone(clone: string): void {
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<Record<string, { readonly dev?: boolean }>>
  }
  for (const path of ['package.json', 'package-lock.json', 'bin', 'dist', 'docs', 'src/demo-shop'])
    cpSync(join(ROOT, path), join(clone, path), { recursive: true })
  for (const [path, { dev }] of Object.entries(packages)) {
    if (path === '' || !readable(join(ROOT, path))) continue
    const copied = dev === true ? `${path}/package.json` : path
    mkdirSync(dirname(join(clone, copied)), { recursive: true })
    cpSync(join(ROOT, copied), join(clone, copied), { recursive: true })
  }
  // Without these npm fetches packages again. It believes its list only if that is newer than the packages.
  cpSync(join(ROOT, 'node_modules/.bin'), join(clone, 'node_modules/.bin'), { recursive: true, verbatimSymlinks: true })
  cpSync(join(ROOT, INSTALLED), join(clone, INSTALLED))
}

/** Optional packages for other machines are in the lock file only. */
function readable(folder: string): boolean {
  return statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true
}
