// test/browser/console-factors.test.ts — users of the console sign in by one-time codes, and by passkeys that the browser makes.
import { equal, match, ok } from 'node:assert/strict'
import { Secret, TOTP } from 'otpauth'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { button, openConsole } from './support/console-steps.ts'
import { openTown, type Town } from './support/town.ts'

const PASSWORD = 'kettle lamp river'
let town: Town

beforeAll(async () => {
  town = await openTown()
})

afterAll(() => town?.close())

/** Adds an owner of that name, and signs in at the name that passkeys are bound to. */
async function signedIn(user: string): Promise<Page> {
  await town.gateway.addUser('demo-eur', { user, name: 'Ann Example', role: 'owner', password: PASSWORD })
  const { port } = new URL(town.gateway.url)
  const page = await openConsole(town, '#/sign-in', { origin: `http://localhost:${port}` })
  await page.getByRole('textbox', { name: 'Account', exact: true }).fill('demo-eur')
  await signIn(page, user)
  await page.getByRole('link', { name: 'People', exact: true }).click()
  return page
}

async function signIn(page: Page, user: string): Promise<void> {
  await page.getByRole('textbox', { name: 'User', exact: true }).fill(user)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await button(page, 'Sign in').click()
}

async function signOut(page: Page): Promise<void> {
  await button(page, 'Sign out').click()
  await page.getByRole('textbox', { name: 'Account', exact: true }).fill('demo-eur')
}

test('one-time codes are set up from a QR code, asked for, and replaced by a recovery code', async () => {
  const page = await signedIn('codes')
  await button(page, 'Set up one-time codes…').click()
  await page.getByRole('img', { name: 'QR code for an authenticator app' }).waitFor()
  const secret = ((await page.locator('.typed-secret').textContent()) ?? '').replaceAll(' ', '')
  const code = () => new TOTP({ secret: Secret.fromBase32(secret) }).generate()
  const setUp = page.locator('.set-up')
  await setUp.getByLabel('Code in the app').fill(code() === '000000' ? '000001' : '000000')
  await setUp.getByLabel('Your password').fill(PASSWORD)
  await setUp.getByRole('button', { name: 'Sign in with codes from now on' }).click()
  await page.getByText('The one-time code is wrong, or was used before.').waitFor()
  await setUp.getByLabel('Code in the app').fill(code())
  await setUp.getByRole('button', { name: 'Sign in with codes from now on' }).click()
  const recovery = page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')
  await expect.poll(() => recovery.count(), { timeout: 20_000 }).toBe(10)
  const first = (await recovery.first().textContent()) ?? ''
  await button(page, 'I have kept them').click()
  await page.getByText('10 recovery codes are left.').waitFor()

  await signOut(page)
  await signIn(page, 'codes')
  const field = page.getByLabel('One-time code, or a recovery code')
  await field.waitFor()
  ok(await field.evaluate(node => node === document.activeElement))
  await field.fill(first)
  await field.press('Enter')
  await page.getByRole('link', { name: 'People', exact: true }).click()
  await page.getByText('9 recovery codes are left.').waitFor()
  match((await page.getByRole('row').filter({ hasText: 'codes' }).first().textContent()) ?? '', /one-time codes/)
})

test('a passkey of the browser signs in without a password', async () => {
  const page = await signedIn('passkeys')
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  const options = { protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true } as const
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: { ...options, isUserVerified: true, automaticPresenceSimulation: true },
  })
  const addition = page.getByRole('form', { name: 'Add a passkey' })
  await addition.getByLabel('Name of the passkey').fill('My computer')
  await addition.getByLabel('Your password').fill(PASSWORD)
  await addition.getByRole('button', { name: 'Add a passkey' }).click()
  await page.getByRole('cell', { name: 'My computer', exact: true }).waitFor()
  await page.getByRole('row').filter({ hasText: 'My computer' }).getByText('never', { exact: true }).waitFor()

  await signOut(page)
  await button(page, 'Sign in with a passkey').click()
  await page.getByRole('link', { name: 'People', exact: true }).click()
  await page.getByText('Ann Example, Owner').waitFor()
  equal(await page.getByRole('row').filter({ hasText: 'My computer' }).getByText('never').count(), 0)

  await button(page, 'Remove My computer').click()
  await page.getByRole('cell', { name: 'My computer', exact: true }).waitFor({ state: 'detached' })
  await signOut(page)
  await button(page, 'Sign in with a passkey').click()
  await page.getByText('The passkey is not known here, or its answer is not valid.').waitFor()
  await devtools.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId })
})

test('at an address without a name the page says where passkeys work', async () => {
  await town.gateway.addUser('demo-eur', { user: 'nameless', name: 'Ann Example', role: 'owner', password: PASSWORD })
  const { port } = new URL(town.gateway.url)
  const page = await openConsole(town, '#/sign-in', { origin: `http://127.0.0.1:${port}` })
  await page.getByRole('textbox', { name: 'Account', exact: true }).fill('demo-eur')
  equal(await button(page, 'Sign in with a passkey').count(), 0)
  await signIn(page, 'nameless')
  await page.getByRole('link', { name: 'People', exact: true }).click()
  await page.getByText(`open the console at http://localhost:${port}/console.`).waitFor()
})
