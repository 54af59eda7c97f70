// test/browser/support/browser.ts — a real Chromium: the one of the system, or the one that comes as a package.
import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

const SYSTEM = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
]

/** Every name of a shop leads to this machine, so pages have the host that their merchant has. */
const ARGUMENTS = ['--no-sandbox', '--disable-dev-shm-usage', '--host-resolver-rules=MAP *.example 127.0.0.1']

/** Opens it without a window. `TOLLGATE_CHROMIUM` names another one. */
export async function openBrowser(): Promise<Browser> {
  const own = [process.env['TOLLGATE_CHROMIUM'] ?? '', ...SYSTEM].find(path => path !== '' && existsSync(path))
  if (own !== undefined) return chromium.launch({ executablePath: own, args: ARGUMENTS })
  const { default: packaged } = await import('@sparticuz/chromium')
  return chromium.launch({
    executablePath: await packaged.executablePath(),
    args: [...packaged.args.filter(argument => !argument.startsWith('--headless')), ...ARGUMENTS],
  })
}
