// test/install/node-versions.ts — installs and tries the packed program under other versions of Node.js. Run by
// `npm run smoke:nodes`. What cannot be tried on a machine is printed with the reason.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { npm, offerDatabaseModule, pack, ROOT, succeeded } from './npm.ts'
import { tryGateway } from './trial.ts'

/** The oldest that is supported, and the newest of each later line with long-term support. */
const VERSIONS = [oldestNode(), '22.23.5', '24.22.3']

/** Errors of npm that say that a registry has no such Node.js for this kind of machine. */
const NOT_TO_BE_HAD = /npm error code (E404|E403|ETARGET|EBADPLATFORM)/

/** Why a version is not tried. */
class Skipped extends Error {}

const scratch = mkdtempSync(join(tmpdir(), 'tollgate-nodes-'))
try {
  const tarball = await pack(scratch)
  const settings = offerDatabaseModule(join(scratch, 'modules'))
  const lines = await Promise.all(VERSIONS.map(version => outcome(version, tarball, settings)))
  process.stdout.write(lines.join(''))
} finally {
  rmSync(scratch, { recursive: true, force: true })
}

/** The version that `engines` in package.json begins with. */
function oldestNode(): string {
  const { engines } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    readonly engines: { readonly node: string }
  }
  return engines.node.replace(/^>=(\d+\.\d+)$/, '$1.0')
}

/** Returns a line that says how it went. A failure also sets the exit code. */
async function outcome(version: string, tarball: string, settings: NodeJS.ProcessEnv): Promise<string> {
  try {
    await tryVersion(version, tarball, settings)
    return `Node ${version}: installed, took payments, served its pages.\n`
  } catch (error) {
    if (error instanceof Skipped) return `Node ${version}: SKIPPED, because ${error.message}\n`
    process.exitCode = 1
    return `Node ${version}: FAILED: ${error instanceof Error ? error.stack : error}\n`
  }
}

async function tryVersion(version: string, tarball: string, settings: NodeJS.ProcessEnv): Promise<void> {
  const folder = join(scratch, version)
  const node = await fetchNode(folder, version)
  const prefix = join(folder, 'prefix')
  const env = {
    ...settings,
    PATH: [join(node, 'bin'), process.env['PATH']].join(delimiter),
    // Where no prebuilt database module can be had, it is compiled against the headers beside this Node.js, and without
    // optimisation, which takes most of the time and changes nothing here.
    npm_config_nodedir: node,
    CFLAGS: '-O0',
    CXXFLAGS: '-O0',
  }
  succeeded(await npm(folder, ['install', '--global', '--prefix', prefix, tarball], env))
  await tryGateway([join(node, 'bin/node'), join(prefix, 'lib/node_modules/tollgate/bin/tollgate.js')])
}

/** Installs a Node.js from the registry and returns its folder. @throws Skipped when there is none for this machine */
async function fetchNode(folder: string, version: string): Promise<string> {
  mkdirSync(folder, { recursive: true })
  const name = `node-${process.platform}-${process.arch}`
  const ended = await npm(folder, ['install', '--no-save', '--prefix', folder, `${name}@${version}`])
  const reason = NOT_TO_BE_HAD.exec(ended.stderr)?.[1]
  if (reason !== undefined) throw new Skipped(`the registry has no ${name}@${version} (${reason}).`)
  succeeded(ended)
  const node = join(folder, 'node_modules', name)
  try {
    const found = execFileSync(join(node, 'bin/node'), ['--version'], { encoding: 'utf8' }).trim()
    if (found === `v${version}`) return node
    throw new Error(`${name}@${version} is ${found}`)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
    // The loader that the binary asks for is not there: another C library.
    throw new Skipped(`${name}@${version} does not run on this machine (${error.message}).`)
  }
}
