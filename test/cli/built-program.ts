// test/cli/built-program.ts — the bundled program, built once for each state of the source: it starts several times faster
// than through a loader, and these tests start a hundred.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundleServer, PROGRAM } from '../../build.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const CACHE = join(ROOT, 'node_modules/.cache/tollgate-cli')
/** Older builds are deleted: no run uses them, not even a concurrent one. */
const STALE_MS = 60 * 60 * 1000

/** Path of its main file. */
export async function builtProgram(): Promise<string> {
  const state = createHash('sha256')
  for (const path of [...sourcesOf('src'), 'build.ts', 'package-lock.json'])
    state.update(path).update(readFileSync(join(ROOT, path)))
  const built = join(CACHE, state.digest('hex').slice(0, 16))
  if (!existsSync(built)) await build(built)
  return join(built, 'main.js')
}

async function build(built: string): Promise<void> {
  removeStale()
  const draft = `${built}.${process.pid}`
  await bundleServer({ root: ROOT, entries: PROGRAM, folder: draft })
  try {
    renameSync(draft, built)
  } catch {
    // Another test file has built the same meanwhile.
    rmSync(draft, { recursive: true })
  }
}

function sourcesOf(directory: string): readonly string[] {
  return readdirSync(join(ROOT, directory), { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.ts'))
    .map(name => join(directory, name))
    .sort()
}

function removeStale(): void {
  if (!existsSync(CACHE)) return
  for (const name of readdirSync(CACHE)) {
    const path = join(CACHE, name)
    if (performance.timeOrigin + performance.now() - statSync(path).mtimeMs > STALE_MS)
      rmSync(path, { recursive: true, force: true })
  }
}
