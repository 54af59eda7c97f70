// web/build.ts — bundles the browser code into dist/web: hashed immutable files, plain names for merchants, source maps, and
// a manifest for the server.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, type Metafile, type OutputFile } from 'esbuild'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const FOLDER = join(ROOT, 'dist/web')

/** One script each. `plain`: merchants load it by a name without a hash. */
const ENTRIES = [
  { name: 'client', source: 'web/client/client.ts', plain: true },
  { name: 'checkout', source: 'web/checkout/checkout.ts', plain: true },
  { name: 'frame', source: 'web/frame/frame.ts', plain: false },
  { name: 'challenge', source: 'web/challenge/challenge.ts', plain: false },
  { name: 'acs', source: 'web/acs/acs.ts', plain: false },
  { name: 'wallet-sheet', source: 'web/wallet-sheet/wallet-sheet.ts', plain: false },
  { name: 'demo', source: 'web/demo/demo.ts', plain: false },
  { name: 'reference', source: 'web/reference/reference.ts', plain: false },
] as const

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.map': 'application/json; charset=utf-8',
}

interface Entry {
  readonly script: string
  readonly style: string | null
}

interface FileFacts {
  readonly mediaType: string
  /** The name contains a hash of the content, so the content never changes. */
  readonly immutable: boolean
  /** Value of the `integrity` attribute. */
  readonly integrity: string
}

/** Builds all bundles. Safe to run concurrently: each file is written atomically, and the same source gives the same files. */
export async function buildWeb(): Promise<void> {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string }
  const { outputFiles, metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: ENTRIES.filter(({ source }) => existsSync(join(ROOT, source))).map(({ name, source, plain }) => ({
      in: source,
      // The version in the name is for people; the hash is for caches.
      out: plain ? `${name}-${version}` : name,
    })),
    outdir: FOLDER,
    entryNames: '[name]-[hash]',
    assetNames: '[name]-[hash]',
    bundle: true,
    minify: true,
    format: 'iife',
    target: ['es2022', 'chrome99', 'firefox102', 'safari15.4'],
    loader: { '.svg': 'file' },
    sourcemap: 'linked',
    sourcesContent: true,
    legalComments: 'none',
    metafile: true,
    write: false,
    logLevel: 'silent',
  })
  publish(version, outputFiles, metafile)
}

function publish(version: string, outputs: readonly OutputFile[], metafile: Metafile): void {
  const bytes = new Map(outputs.map(({ path, contents }) => [basename(path), contents]))
  const entries: Record<string, Entry> = {}
  const immutable = new Set(bytes.keys())
  for (const { name, source, plain } of ENTRIES) {
    const found = Object.entries(metafile.outputs).find(([, output]) => output.entryPoint === source)
    if (found === undefined) continue
    const script = basename(found[0])
    const style = found[1].cssBundle
    entries[name] = { script, style: style === undefined ? null : basename(style) }
    const contents = bytes.get(script)
    if (plain && contents !== undefined) bytes.set(`${name}.js`, contents)
  }
  const files: Record<string, FileFacts> = {}
  for (const [name, contents] of [...bytes].sort(([a], [b]) => (a < b ? -1 : 1)))
    files[name] = {
      mediaType: TYPES[extname(name)] ?? 'application/octet-stream',
      immutable: immutable.has(name),
      integrity: `sha384-${createHash('sha384').update(contents).digest('base64')}`,
    }
  write(bytes, JSON.stringify({ version, entries, files }))
}

function write(files: ReadonlyMap<string, Uint8Array>, manifest: string): void {
  const manifestFile = join(FOLDER, 'manifest.json')
  if (existsSync(manifestFile) && readFileSync(manifestFile, 'utf8') === manifest) return
  mkdirSync(FOLDER, { recursive: true })
  for (const [name, contents] of files) writeWhole(join(FOLDER, name), contents)
  writeWhole(manifestFile, manifest)
  for (const name of readdirSync(FOLDER))
    if (!files.has(name) && name !== 'manifest.json' && !name.endsWith('.draft'))
      rmSync(join(FOLDER, name), { recursive: true, force: true })
}

function writeWhole(file: string, contents: Uint8Array | string): void {
  const draft = `${file}.${process.pid}.draft`
  writeFileSync(draft, contents)
  renameSync(draft, file)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildWeb()
