// test/browser/support/browser.ts — a real Chromium: the one that comes as a package, or the one of the system.
import { existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, chromium } from 'playwright-core'

const SYSTEM = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
]

/** Every name of a shop leads to this machine, so pages have the host that their merchant has. */
const ARGUMENTS = ['--no-sandbox', '--disable-dev-shm-usage', '--host-resolver-rules=MAP *.example 127.0.0.1']

/**
 * Opens it without a window. The package is a build without the parts for windows and takes half the time of a whole one, so it
 * comes first; where it does not run, the system's does. `TOLLGATE_CHROMIUM`: the path of another one, or `system`.
 */
export async function openBrowser(): Promise<Browser> {
  const named = process.env['TOLLGATE_CHROMIUM'] ?? ''
  const system = SYSTEM.find(path => existsSync(path))
  const own = named === 'system' ? system : named === '' ? undefined : named
  if (own !== undefined) return openAt(own)
  try {
    return await openPackaged()
  } catch (error) {
    if (system === undefined) throw error
    return openAt(system)
  }
}

function openAt(executablePath: string): Promise<Browser> {
  return chromium.launch({ executablePath, args: ARGUMENTS })
}

async function openPackaged(): Promise<Browser> {
  const directory = await unpacked()
  // The package's own arguments switch off what is tested here: the rules between pages of different hosts.
  return chromium.launch({
    executablePath: join(directory, 'chromium'),
    args: [...ARGUMENTS, '--no-zygote'],
    env: {
      ...environment(),
      LD_LIBRARY_PATH: join(directory, 'al2023', 'lib'),
      FONTCONFIG_PATH: join(directory, 'fonts'),
    },
  })
}

/** Where the packaged Chromium lies, with the libraries that a bare machine lacks; unpacked by whoever comes first. */
async function unpacked(): Promise<string> {
  const directory = join(tmpdir(), `tollgate-chromium-${process.getuid?.() ?? 0}`)
  if (existsSync(directory)) return directory
  const own = mkdtempSync(`${directory}-`)
  // The package unpacks into the directory for temporary files, and its libraries only on the machines it is made for.
  const before = environment()
  Object.assign(process.env, { TMPDIR: own, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs20.x' })
  try {
    const { default: packaged } = await import('@sparticuz/chromium')
    await packaged.executablePath()
  } finally {
    for (const name of ['TMPDIR', 'AWS_EXECUTION_ENV', 'LD_LIBRARY_PATH', 'FONTCONFIG_PATH', 'HOME']) {
      if (before[name] === undefined) delete process.env[name]
      else process.env[name] = before[name]
    }
  }
  try {
    // All of it at once, or not at all.
    renameSync(own, directory)
  } catch (error) {
    // Somebody else was faster; his is as good.
    rmSync(own, { recursive: true, force: true })
    if (!existsSync(directory)) throw error
  }
  return directory
}

function environment(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
}
