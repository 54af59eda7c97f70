// build.ts — builds the program into dist: the server as a few bundles, browser code and guides by web/build.ts. ADR 26.
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, type OutputFile } from 'esbuild'
import { licencesOf } from './licences.ts'
import { buildWeb } from './web/build.ts'

const ROOT = fileURLToPath(new URL('.', import.meta.url))

/** The program, and the threads that write, which are started by their file names. */
export const PROGRAM = {
  main: 'src/main.ts',
  writer: 'src/store/sqlite/writer.ts',
  'memory-writer': 'src/simulator/memory/memory-writer.ts',
} as const

/** Packages that npm installs with the program, because they have a native part. All others are in the bundles. */
const { dependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  readonly dependencies: Readonly<Record<string, string>>
}

/** Licences of the packages in the bundles. */
const LICENCES = 'licences.txt'

/** Packages in the older form of modules ask for `require`, which the newer form does not have. */
const REQUIRE =
  "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);"

export interface Bundle {
  /** Absolute path of the project whose source is bundled. */
  readonly root: string
  /** File name without extension → source, as a path in the project. */
  readonly entries: Readonly<Record<string, string>>
  /** Absolute path. What lies there from an earlier build is removed, but for the folders named in `keep`. */
  readonly folder: string
  readonly keep?: readonly string[]
}

/**
 * Bundles server code with the packages it uses, so that a start reads a few files instead of a thousand. Code that is
 * imported late stays in files of its own. Safe beside another run: each file appears whole. Returns the files read, as paths
 * below `root`.
 */
export async function bundleServer({ root, entries, folder, keep = [] }: Bundle): Promise<readonly string[]> {
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: { ...entries },
    outdir: folder,
    bundle: true,
    splitting: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    external: Object.keys(dependencies),
    banner: { js: REQUIRE },
    // Names stay as they are written: stack traces are read.
    minify: false,
    sourcemap: 'linked',
    sourcesContent: false,
    // All licences are in one file.
    legalComments: 'none',
    metafile: true,
    write: false,
    logLevel: 'warning',
  })
  write(folder, outputFiles, new Set(keep))
  return Object.keys(metafile.inputs)
}

function write(folder: string, files: readonly OutputFile[], keep: ReadonlySet<string>): void {
  mkdirSync(folder, { recursive: true })
  const names = new Set(files.map(({ path }) => basename(path)))
  // What names others comes last, so that a start beside a build finds what it asks for.
  for (const { path, contents } of files.toSorted((one, other) => rank(one) - rank(other))) {
    if (existsSync(path) && readFileSync(path).equals(contents)) continue
    writeWhole(path, contents)
  }
  for (const name of readdirSync(folder))
    if (!names.has(name) && !keep.has(name) && !name.endsWith('.draft'))
      rmSync(join(folder, name), { recursive: true, force: true })
}

function writeWhole(path: string, contents: Uint8Array | string): void {
  const draft = `${path}.${process.pid}.draft`
  writeFileSync(draft, contents)
  renameSync(draft, path)
}

function rank({ path }: OutputFile): number {
  return basename(path) === 'main.js' ? 1 : 0
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folder = join(ROOT, 'dist')
  const inWeb = await buildWeb()
  const inServer = await bundleServer({ root: ROOT, entries: PROGRAM, folder, keep: ['web', 'guides', LICENCES] })
  writeWhole(join(folder, LICENCES), licencesOf(ROOT, [...inWeb, ...inServer]))
}
