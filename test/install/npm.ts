// test/install/npm.ts — runs npm as users do, with the settings that this machine has.
import { type ExecFileException, execFile, execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** An installation compiles a database module at worst. */
const LIMIT_MS = 10 * 60_000

export interface Ended {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** Runs npm in a folder. Packages come from its cache where they are. */
export function npm(folder: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Ended> {
  return new Promise(resolve => {
    execFile(
      'npm',
      [...args, '--prefer-offline'],
      { cwd: folder, env: { ...process.env, ...env }, timeout: LIMIT_MS },
      (error: ExecFileException | null, stdout, stderr) =>
        resolve({ code: error === null ? 0 : Number(error.code ?? 1), stdout, stderr }),
    )
  })
}

/** Packs this clone into `folder` and returns the path of the tarball. @throws Error when npm fails */
export async function pack(folder: string): Promise<string> {
  mkdirSync(folder, { recursive: true })
  const { stdout } = succeeded(await npm(ROOT, ['pack', '--silent', '--pack-destination', folder]))
  return join(folder, stdout.trim().split('\n').at(-1) ?? '')
}

/** @throws Error with what npm printed, unless it succeeded */
export function succeeded(ended: Ended): Ended {
  if (ended.code === 0) return ended
  throw new Error(`npm ended with ${ended.code}:\n${ended.stdout}\n${ended.stderr}`)
}

/**
 * Offers the database module of this clone to installations, so that none compiles it again. Its install script runs as
 * always and looks there first. Returns the setting of npm.
 */
export function offerDatabaseModule(folder: string): NodeJS.ProcessEnv {
  mkdirSync(folder, { recursive: true })
  const manifest = createRequire(import.meta.url).resolve('better-sqlite3/package.json')
  const { name, version } = createRequire(import.meta.url)(manifest) as {
    readonly name: string
    readonly version: string
  }
  const { platform, arch, versions } = process
  const archive = `${name}-v${version}-node-v${versions.modules}-${platform}-${arch}.tar.gz`
  execFileSync('tar', ['-czf', join(folder, archive), '-C', dirname(manifest), 'build/Release/better_sqlite3.node'])
  return { npm_config_better_sqlite3_local_prebuilds: folder }
}
