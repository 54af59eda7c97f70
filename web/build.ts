// web/build.ts — builds what browsers load: their code into dist/web, the guides into dist/guides, each with a manifest.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, extname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, type Metafile, type OutputFile } from 'esbuild'
import { renderSite } from '../docs/site/site.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const FOLDER = join(ROOT, 'dist/web')
const GUIDES = join(ROOT, 'dist/guides')

/** One script each. `plain`: merchants load it by a name without a hash. */
const ENTRIES = [
  { name: 'client', source: 'web/client/client.ts', plain: true },
  { name: 'checkout', source: 'web/checkout/checkout.ts', plain: true },
  { name: 'frame', source: 'web/frame/frame.ts', plain: false },
  { name: 'challenge', source: 'web/challenge/challenge.ts', plain: false },
  { name: 'acs', source: 'web/acs/acs.ts', plain: false },
  { name: 'wallet-sheet', source: 'web/wallet-sheet/wallet-sheet.ts', plain: false },
  { name: 'demo', source: 'web/demo/demo.ts', plain: false },
  { name: 'console', source: 'web/console/console.tsx', plain: false },
  { name: 'phone', source: 'web/console/phone/phone.tsx', plain: false },
  { name: 'guides', source: 'web/guides/guides.ts', plain: false },
  { name: 'reference', source: 'web/reference/reference.ts', plain: false },
] as const

/** Files of a package that are served as they are: the page on which the API is read and tried. */
const require = createRequire(import.meta.url)
const REFERENCE = join(dirname(require.resolve('@fastify/swagger-ui')), 'static')
const COPIED = ['swagger-ui.css', 'swagger-ui-bundle.js'].map(name => join(REFERENCE, name))

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

/**
 * Builds everything. Safe to run concurrently: each file is written atomically, and the same source gives the same files. Returns
 * the files read for the bundles, as paths below the root of the project.
 */
export async function buildWeb(): Promise<readonly string[]> {
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
    jsx: 'automatic',
    jsxImportSource: 'preact',
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
  const { site, files } = renderSite()
  write(GUIDES, files, JSON.stringify(site))
  return [...Object.keys(metafile.inputs), ...COPIED.map(file => relative(ROOT, file))]
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
  for (const file of COPIED) bytes.set(basename(file), readFileSync(file))
  const files: Record<string, FileFacts> = {}
  for (const [name, contents] of [...bytes].sort(([a], [b]) => (a < b ? -1 : 1)))
    files[name] = {
      mediaType: TYPES[extname(name)] ?? 'application/octet-stream',
      immutable: immutable.has(name),
      integrity: `sha384-${createHash('sha384').update(contents).digest('base64')}`,
    }
  write(FOLDER, bytes, JSON.stringify({ version, entries, files }))
}

function write(folder: string, files: ReadonlyMap<string, Uint8Array>, manifest: string): void {
  mkdirSync(folder, { recursive: true })
  for (const [name, contents] of files) writeWhole(join(folder, name), contents)
  writeWhole(join(folder, 'manifest.json'), manifest)
  for (const name of readdirSync(folder))
    if (!files.has(name) && name !== 'manifest.json' && !name.endsWith('.draft'))
      rmSync(join(folder, name), { recursive: true, force: true })
}

function writeWhole(file: string, contents: Uint8Array | string): void {
  if (existsSync(file) && readFileSync(file).equals(Buffer.from(contents))) return
  const draft = `${file}.${process.pid}.draft`
  writeFileSync(draft, contents)
  renameSync(draft, file)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildWeb()
