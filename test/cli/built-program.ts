// test/cli/built-program.ts — the program as JavaScript, like the one that is shipped, built once for each state of the
// source: a command starts three times as fast as through a loader, and these tests start a hundred.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type ts from 'typescript'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const CACHE = join(ROOT, 'node_modules/.cache/tollgate-cli')
/** Builds that are older are of no use to anybody, not even to a run beside this one. */
const STALE_MS = 60 * 60 * 1000

/** Path of its main file. */
export async function builtProgram(): Promise<string> {
  const sources = sourcesOf('src')
  const state = createHash('sha256')
  for (const path of [...sources, 'package.json']) state.update(path).update(readFileSync(join(ROOT, path)))
  const built = join(CACHE, state.digest('hex').slice(0, 16))
  // The compiler takes longer to load than most of these tests, so it is loaded only to be used.
  if (!existsSync(built)) build((await import('typescript')).default, sources, built)
  return join(built, 'dist/main.js')
}

type Compiler = typeof ts

function build(compiler: Compiler, sources: readonly string[], built: string): void {
  removeStale()
  const draft = `${built}.${process.pid}`
  const compilerOptions = optionsOf(compiler, 'tsconfig.json')
  for (const path of sources) {
    const { outputText } = compiler.transpileModule(readFileSync(join(ROOT, path), 'utf8'), {
      fileName: path,
      compilerOptions,
    })
    const target = join(draft, path.replace(/^src/, 'dist').replace(/\.ts$/, '.js'))
    mkdirSync(dirname(target), { recursive: true })
    writeFileSync(target, outputText)
  }
  writeFileSync(join(draft, 'package.json'), readFileSync(join(ROOT, 'package.json')))
  try {
    renameSync(draft, built)
  } catch {
    // Another test file has built the same meanwhile.
    rmSync(draft, { recursive: true })
  }
}

function optionsOf(compiler: Compiler, file: string): ts.CompilerOptions {
  const { config } = compiler.readConfigFile(join(ROOT, file), path => compiler.sys.readFile(path))
  const { options } = compiler.convertCompilerOptionsFromJson(config.compilerOptions, ROOT)
  // `nodenext` looks into package.json for the kind of module, which the reader of a single file does not.
  return { ...options, noEmit: false, module: compiler.ModuleKind.ESNext }
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
