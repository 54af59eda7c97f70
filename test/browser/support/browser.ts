// test/browser/support/browser.ts — a real Chromium: the one that comes as a package, or the one of the system.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Browser, chromium } from 'playwright-core'

const PACKAGES = fileURLToPath(new URL('../../../node_modules', import.meta.url))

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
  const directory = await unpackedChromium()
  // The package's own arguments switch off what is tested here: the rules between pages of different hosts.
  return chromium.launch({
    executablePath: join(directory, 'chromium'),
    args: [...ARGUMENTS, '--no-zygote'],
    env: {
      ...environment(),
      LD_LIBRARY_PATH: join(directory, 'al2023', 'lib'),
      FONTCONFIG_FILE: join(directory, 'fonts', 'fonts.conf'),
    },
  })
}

/**
 * Unpacks the packaged Chromium, with the libraries and fonts that a bare machine lacks, beside the installed packages.
 * The first caller unpacks; callers in other processes may do the same at the same time.
 * @returns the absolute path of the folder.
 */
export async function unpackedChromium(): Promise<string> {
  const cache = join(PACKAGES, '.cache')
  const directory = join(cache, `tollgate-chromium-${packagedVersion()}`)
  if (existsSync(directory)) {
    keepFonts(directory)
    return directory
  }
  mkdirSync(cache, { recursive: true })
  const own = mkdtempSync(`${directory}-`)
  // The package unpacks into the temporary directory, and its libraries only on the machines it is made for.
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
  writeFileSync(fontsFile(own), fontsConfiguration(directory))
  try {
    // All of it at once, or not at all.
    renameSync(own, directory)
  } catch (error) {
    // Another process was faster.
    rmSync(own, { recursive: true, force: true })
    if (!existsSync(directory)) throw error
  }
  return directory
}

/** Names the fonts where they lie now: the folder may have been moved or copied with the project. */
function keepFonts(directory: string): void {
  const file = fontsFile(directory)
  const configuration = fontsConfiguration(directory)
  if (readFileSync(file, 'utf8') === configuration) return
  const draft = `${file}.${process.pid}`
  writeFileSync(draft, configuration)
  renameSync(draft, file)
}

function fontsFile(directory: string): string {
  return join(directory, 'fonts', 'fonts.conf')
}

function packagedVersion(): string {
  const path = join(PACKAGES, '@sparticuz', 'chromium', 'package.json')
  const { version } = JSON.parse(readFileSync(path, 'utf8')) as { readonly version: string }
  return version
}

/**
 * A configuration of fontconfig that names nothing outside of `directory`. The package's own names font folders that exist on
 * the machines it is made for; without a font, Chromium ends at the first input field.
 */
function fontsConfiguration(directory: string): string {
  const escaped = directory.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig>
  <dir>${escaped}/fonts/fonts</dir>
  <cachedir>${escaped}/fonts/cache</cachedir>
</fontconfig>
`
}

function environment(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
}
