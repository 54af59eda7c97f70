// test/browser/support/browser.ts — a real Chromium: the one of the system, or the one that comes as a package.
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

/** Opens it without a window. `TOLLGATE_CHROMIUM` names another one; `packaged` is the one that comes as a package. */
export async function openBrowser(): Promise<Browser> {
  const named = process.env['TOLLGATE_CHROMIUM'] ?? ''
  const own = [named, ...(named === 'packaged' ? [] : SYSTEM)].find(path => path !== '' && existsSync(path))
  if (own !== undefined) return chromium.launch({ executablePath: own, args: ARGUMENTS })
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
