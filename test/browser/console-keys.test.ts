// test/browser/console-keys.test.ts — users make and revoke API keys in the console, and take payments in it themselves.
import { deepEqual, equal, match, notEqual, ok } from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { button, openConsole, outcome, sell } from './support/console-steps.ts'
import { openTown, type Town } from './support/town.ts'

const ACCOUNT = 'demo-eur'
const PASSWORD = 'kettle lamp river'
const TID = 'VCMEUROSIP0'

let town: Town

beforeAll(async () => {
  town = await openTown({})
  for (const [user, role] of [
    ['ann', 'owner'],
    ['ben', 'read_only'],
    ['cas', 'till_staff'],
  ] as const)
    await town.gateway.addUser(ACCOUNT, { user, name: `${user} Example`, role, password: PASSWORD })
})

afterAll(() => town?.close())

const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true })
const link = (page: Page, name: string) => page.getByRole('link', { name, exact: true })

async function signedIn(user: string): Promise<Page> {
  const page = await openConsole(town, '#/sign-in')
  await page.getByRole('textbox', { name: 'Account', exact: true }).fill(ACCOUNT)
  await page.getByRole('textbox', { name: 'User', exact: true }).fill(user)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await button(page, 'Sign in').click()
  await heading(page, 'Transactions').waitFor()
  return page
}

async function statusOf(key: string, path: string): Promise<number> {
  const authorization = `Basic ${Buffer.from(`till:${key}`).toString('base64')}`
  return (await fetch(town.gateway.url + path, { headers: { authorization } })).status
}

async function startSale(): Promise<void> {
  const authorization = `Basic ${Buffer.from('till:demo-eur-api-key').toString('base64')}`
  const body = JSON.stringify({ transactionType: 'SALE', amount: 500, currency: 'EUR' })
  const headers = { authorization, 'content-type': 'application/json' }
  const started = await fetch(`${town.gateway.url}/pac/terminals/${TID}/transactions`, {
    method: 'POST',
    headers,
    body,
  })
  equal(started.status, 201)
}

test('an owner makes a key for one terminal, sees its secret once, and revokes it', async () => {
  const page = await signedIn('ann')
  await link(page, 'Keys').click()
  const form = page.getByRole('form', { name: 'Make a key' })
  await form.getByRole('textbox', { name: 'What it is for' }).fill('till 2')
  await form.getByRole('checkbox', { name: 'Counter' }).check()
  await form.getByRole('textbox', { name: 'Only these terminals' }).fill('NOSUCHONE')
  await button(page, 'Make the key').click()
  await page.getByText(/NOSUCHONE, which is no terminal of the account/).waitFor()
  await form.getByRole('textbox', { name: 'Only these terminals' }).fill(TID)
  await button(page, 'Make the key').click()
  const secret = page.getByText(/^tg_/)
  await secret.waitFor()
  const key = (await secret.textContent()) ?? ''
  await button(page, 'Copy the key').waitFor()
  await page.setViewportSize({ width: 360, height: 640 })
  equal(await page.evaluate(() => document.documentElement.scrollWidth), 360)

  equal(await statusOf(key, `/pac/terminals/${TID}`), 200)
  deepEqual(
    [await statusOf(key, '/pac/terminals/VCMEUROSIS0'), await statusOf(key, '/pat/tables')],
    [403, 403],
    'another terminal, another area',
  )
  await page.reload()
  const row = page.getByRole('row', { name: /till 2.*ann.*Counter.*VCMEUROSIP0/ })
  await row.waitFor()
  equal(await secret.count(), 0)
  await row.getByRole('button').click()
  await button(page, 'Revoke it').click()
  await page.getByRole('row', { name: /till 2.*revoked/ }).waitFor()
  equal(await statusOf(key, `/pac/terminals/${TID}`), 401)
})

test('a button that is pressed twice makes one key', async () => {
  const page = await signedIn('ann')
  await link(page, 'Keys').click()
  let sent = 0
  page.on('request', request => {
    if (request.method() === 'POST' && request.url().endsWith('/api/keys')) sent += 1
  })
  await page.getByRole('textbox', { name: 'What it is for' }).fill('pressed twice')
  await button(page, 'Make the key').dblclick()
  await page.getByText(/^tg_/).waitFor()
  await page.getByRole('row', { name: /pressed twice/ }).waitFor()
  equal(sent, 1)
})

test('an owner adds a host of a web shop, and removes it after a confirmation', async () => {
  const page = await signedIn('ann')
  await link(page, 'Keys').click()
  const hosts = page.getByRole('list', { name: 'Hosts' })
  const form = page.getByRole('form', { name: 'Add a host' })
  const field = form.getByRole('textbox', { name: /^Host of a web shop/ })
  await field.fill('*.example')
  await button(page, 'Add the host').click()
  await form.getByRole('alert').filter({ hasText: 'is not a host name' }).waitFor()
  await field.fill('https://New.Example/pay')
  await button(page, 'Add the host').click()
  await button(page, 'Remove… new.example').waitFor()
  equal(await field.inputValue(), '')
  equal(await hosts.getByRole('listitem').count(), 2)

  await button(page, 'Remove… new.example').click()
  const dialog = page.getByRole('dialog', { name: 'Remove new.example?' })
  await dialog.getByText(/no access tokens for pages of new\.example/).waitFor()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await dialog.waitFor({ state: 'detached' })
  equal(await hosts.getByRole('listitem').count(), 2)
  await button(page, 'Remove… new.example').click()
  await button(page, 'Remove it').click()
  await button(page, 'Remove… new.example').waitFor({ state: 'detached' })
  equal(await hosts.getByRole('listitem').count(), 1)
  await page.setViewportSize({ width: 360, height: 640 })
  equal(await page.evaluate(() => document.documentElement.scrollWidth), 360)
})

test('an owner registers a key of a web shop, and shows and replaces the secret of webhooks', async () => {
  const page = await signedIn('ann')
  await link(page, 'Keys').click()
  await button(page, 'Remove… shop.example').waitFor()
  const form = page.getByRole('form', { name: 'Register a key' })
  await form.getByRole('textbox', { name: /^Public key/ }).fill('-----BEGIN PUBLIC KEY-----')
  await form.getByRole('textbox', { name: /kid/ }).fill('shop-1')
  await button(page, 'Register the key').click()
  await form.getByRole('alert').filter({ hasText: 'publicKey' }).waitFor()
  const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString()
  await form.getByRole('textbox', { name: /^Public key/ }).fill(pem)
  await button(page, 'Register the key').click()
  await button(page, 'Revoke… shop-1').click()
  await button(page, 'Revoke it').click()
  await page.getByRole('row', { name: /shop-1.*revoked/ }).waitFor()

  await button(page, 'Show the secret').click()
  const secret = page.locator('.shown-secret')
  const before = (await secret.textContent()) ?? ''
  ok(before.length > 20)
  await button(page, 'Replace it…').click()
  await button(page, 'Replace it').click()
  await page.getByText(/An older one still signs until/).waitFor()
  notEqual(await secret.textContent(), before)
})

test('a user without the right makes no keys and takes no payments', async () => {
  const page = await signedIn('ben')
  deepEqual([await link(page, 'Keys').count(), await link(page, 'Counter').count()], [0, 0])
  await page.goto(`${town.gateway.url}/console#/keys`)
  await page.getByText('Your role does not allow making keys.', { exact: false }).waitFor()
  await page.getByRole('list', { name: 'Hosts' }).getByText('shop.example', { exact: true }).waitFor()
  equal(await page.getByRole('form').count(), 0)
  equal(await page.getByRole('button', { name: 'Remove…' }).count(), 0)
  await page.goto(`${town.gateway.url}/console#/counter`)
  await heading(page, 'Transactions').waitFor()
})

test('till staff take a payment in the browser, and the till is gone with the session', async () => {
  const page = await signedIn('cas')
  await startSale()
  await page.getByRole('row', { name: /SALE/ }).first().getByRole('link').click()
  await page
    .getByText('To refund, complete or cancel it, first use the till in this browser', { exact: false })
    .waitFor()
  await link(page, 'Counter').click()
  await button(page, 'Use the till in this browser').click()
  await sell(page, TID)
  await expect.poll(() => outcome(page).textContent(), { timeout: 20_000 }).toMatch(/^Approved/)
  const stored = await page.evaluate(() => JSON.stringify([{ ...sessionStorage }, { ...localStorage }]))
  const key = /tg_[\w-]+/.exec(stored)?.[0] ?? ''
  match(stored, /^\[\{.*tg_.*\},\{\}\]$/)
  equal(await statusOf(key, '/pac/terminals'), 200)
  await page.reload()
  await page.getByRole('combobox', { name: 'Terminal', exact: true }).waitFor()
  await link(page, 'Transactions').click()
  await page
    .getByRole('row', { name: /SALE.*SUCCESSFUL/ })
    .first()
    .getByRole('link')
    .click()
  await button(page, 'Refund…').waitFor()

  await button(page, 'Sign out').click()
  await page.getByText('You are signed out.', { exact: true }).waitFor()
  ok(!(await page.evaluate(() => JSON.stringify({ ...sessionStorage }))).includes('tg_'))
  equal(await statusOf(key, '/pac/terminals'), 401)
})
