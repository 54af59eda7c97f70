// test/browser/terminal-on-phone.test.ts — a phone is the terminal by a link: a sale on two screens, and what the phone says when it cannot go on.
import { deepEqual, equal, match, ok } from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { button, enterPin, openConsole, outcome, sell } from './support/console-steps.ts'
import { openTown, type Town } from './support/town.ts'

let town: Town
/** The gateway by a name that is not this machine’s own, as a phone calls it. */
let network: string

beforeAll(async () => {
  town = await openTown()
  network = town.gateway.url.replace('127.0.0.1', 'pos.example')
})

afterAll(() => town?.close())

const dialog = (page: Page) => page.getByRole('dialog')
const addressIn = async (page: Page) => (await dialog(page).locator('code.fine').textContent()) ?? ''

async function consoleAt(tid: string, origin = network): Promise<Page> {
  await town.gateway.sandbox('POST', '/sandbox/terminals', { tid })
  const page = await openConsole(town, `#/counter/${tid}`, { origin })
  await page.getByRole('heading', { name: `Terminal ${tid}` }).waitFor()
  return page
}

/** A browser of its own with the size of a phone, which knows the address only. Keeps the addresses of all its requests. */
async function scan(address: string): Promise<{ readonly phone: Page; readonly requested: readonly string[] }> {
  const context = await town.browser.newContext({ viewport: { width: 360, height: 640 }, hasTouch: true })
  const phone = await context.newPage()
  phone.setDefaultTimeout(20_000)
  const requested: string[] = []
  const faults: string[] = []
  phone.on('request', request => requested.push(`${request.method()} ${new URL(request.url()).pathname}`))
  phone.on('pageerror', error => faults.push(error.message))
  onTestFinished(async () => {
    await context.close()
    deepEqual(faults, [])
  })
  await phone.goto(address)
  return { phone, requested }
}

test('a sale is started on the till and paid on the phone', async () => {
  const page = await consoleAt('31000201')
  await button(page, 'Use a phone').click()
  await dialog(page).getByRole('img', { name: 'QR code of the address below' }).waitFor()
  const address = await addressIn(page)
  match(address, /^http:\/\/pos\.example:\d+\/console\/terminal#[\w.-]+$/)
  await button(page, 'Close').click()

  const { phone, requested } = await scan(address)
  await phone.getByRole('heading', { name: 'Terminal 31000201' }).waitFor()
  equal(await phone.title(), 'Terminal 31000201 — Tollgate')
  await sell(page, '31000201')
  await button(phone, 'Insert Visa debit').tap()
  await enterPin(phone)
  const takeOut = button(phone, 'Take the card out')
  await phone.getByText('REMOVE CARD').waitFor()
  await takeOut.tap()
  await expect.poll(() => outcome(page).textContent(), { timeout: 20_000 }).toBe('Approved · £25.99')
  ok((await phone.evaluate(() => document.documentElement.scrollWidth)) <= 360)
  equal(await phone.getByRole('navigation').count(), 0)
  const called = new Set(requested.filter(each => !/ \/(?:assets|favicon)/.test(each)))
  deepEqual([...called].toSorted(), [
    'GET /console/terminal',
    'GET /sandbox/cards',
    'GET /sandbox/terminals/31000201',
    'POST /sandbox/terminals/31000201/keys',
  ])
})

test('the phone says that its link has ended, and goes on with a new one', async () => {
  const page = await consoleAt('31000202')
  await button(page, 'Use a phone').click()
  const { phone } = await scan(await addressIn(page))
  const terminal = phone.getByRole('heading', { name: 'Terminal 31000202' })
  await terminal.waitFor()
  await button(page, 'End all links').click()
  await page.getByText('All links to this terminal have ended.', { exact: true }).waitFor()
  const ended = phone.getByRole('heading', { name: 'This link has ended' })
  await ended.waitFor()
  await phone.reload()
  await ended.waitFor()
  await button(page, 'Use a phone').click()
  // The same page, as when the code is scanned again.
  await phone.goto(await addressIn(page))
  await terminal.waitFor()
})

test('the phone says when the gateway does not answer, and when it does again', async () => {
  const page = await consoleAt('31000203')
  await button(page, 'Use a phone').click()
  const { phone } = await scan(await addressIn(page))
  await phone.getByRole('status', { name: 'Display' }).waitFor()
  const said = phone.getByText('The gateway does not answer. Is it running?', { exact: true })
  await phone.context().setOffline(true)
  await said.waitFor()
  await phone.context().setOffline(false)
  await said.waitFor({ state: 'detached' })
})

test('what is no link is said, and leads back to the console', async () => {
  const { phone } = await scan(`${network}/console/terminal`)
  await phone.getByText('This page needs a link to a terminal.', { exact: false }).waitFor()
  await phone.goto(`${network}/console/terminal#nonsense`)
  await phone.getByRole('heading', { name: 'This link has ended' }).waitFor()
})

test('at an address of this machine the dialog says how phones reach the gateway', async () => {
  const page = await consoleAt('31000204', town.gateway.url)
  await button(page, 'Use a phone').click()
  await dialog(page).getByText('The gateway listens to its own machine only', { exact: false }).waitFor()
  await dialog(page).getByText('--host 0.0.0.0', { exact: true }).waitFor()
  equal(await dialog(page).getByRole('img').count(), 0)
  const { phone } = await scan(await addressIn(page))
  await phone.getByRole('heading', { name: 'Terminal 31000204' }).waitFor()
})

test('a terminal with the most links says so, and all of them can be ended there', async () => {
  const page = await consoleAt('31000205')
  for (let link = 0; link < 20; link += 1) await town.gateway.sandbox('POST', '/sandbox/terminals/31000205/links')
  await button(page, 'Use a phone').click()
  await page.getByText('31000205 has reached the limit of links.', { exact: false }).waitFor()
  await button(page, 'End all links').click()
  await page.getByText('All links to this terminal have ended.', { exact: true }).waitFor()
  await button(page, 'Use a phone').click()
  await dialog(page).getByRole('img').waitFor()
})

/** Sounds that the page has asked its browser for. */
interface Counted {
  audio: number
  notes: number
}

test('no sound without the switch, which the browser remembers', async () => {
  const page = await consoleAt('31000206')
  await page.addInitScript(() => {
    const counted: Counted = { audio: 0, notes: 0 }
    const Audio = window.AudioContext
    const Oscillator = window.OscillatorNode
    Object.assign(window, {
      counted,
      AudioContext: class extends Audio {
        constructor() {
          super()
          counted.audio += 1
        }
      },
      OscillatorNode: class extends Oscillator {
        override start(at?: number) {
          counted.notes += 1
          super.start(at)
        }
      },
    })
  })
  await page.reload()
  const counted = () => page.evaluate(() => (window as unknown as { counted: Counted }).counted)
  const pay = async () => {
    await sell(page, '31000206')
    await button(page, 'Insert Visa debit').click()
    await enterPin(page)
    await page.locator('.display').getByText('REMOVE CARD').waitFor()
    await button(page, 'Take the card out').click()
    await expect.poll(() => outcome(page).textContent(), { timeout: 20_000 }).toBe('Approved · £25.99')
    await page.locator('.display').getByText('LAST: SUCCESSFUL').waitFor()
  }
  const sounds = page.getByRole('checkbox', { name: 'Sounds' })
  equal(await sounds.isChecked(), false)
  await pay()
  deepEqual(await counted(), { audio: 0, notes: 0 })
  await sounds.check()
  deepEqual(await counted(), { audio: 1, notes: 1 })
  await pay()
  // The switch, two notes of the card, five keys, three notes of the approval.
  await expect.poll(counted).toEqual({ audio: 1, notes: 11 })
  await page.reload()
  equal(await sounds.isChecked(), true)
  equal((await counted()).audio, 0)
  await sounds.uncheck()
  await page.reload()
  equal(await sounds.isChecked(), false)
})
