// test/browser/console-people.test.ts — users sign in to the console: what each may do, and what no other page can do with their session.
import { deepEqual, equal, ok } from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { button, openConsole } from './support/console-steps.ts'
import { openTown, type Town } from './support/town.ts'

const ACCOUNT = 'demo-eur'
const PASSWORD = 'kettle lamp river'

let town: Town

beforeAll(async () => {
  // The same accounts and users in live mode, at another address.
  town = await openTown({})
  await town.gateway.addUser(ACCOUNT, { user: 'ann', name: 'Ann Example', role: 'owner', password: PASSWORD })
  await town.gateway.addUser(ACCOUNT, { user: 'ben', name: 'Ben Example', role: 'read_only', password: PASSWORD })
})

afterAll(() => town?.close())

const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true })

async function fillIn(page: Page, user: string, password = PASSWORD): Promise<void> {
  await page.getByRole('textbox', { name: 'Account', exact: true }).fill(ACCOUNT)
  await page.getByRole('textbox', { name: 'User', exact: true }).fill(user)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await button(page, 'Sign in').click()
}

async function signedIn(user: string, place = ''): Promise<Page> {
  const page = await openConsole(town, '#/sign-in')
  await fillIn(page, user)
  await heading(page, 'Transactions').waitFor()
  if (place !== '') await page.getByRole('link', { name: place, exact: true }).click()
  return page
}

test('an owner signs in, adds a user and sees it in the audit log, also after a reload, and signs out', async () => {
  const page = await signedIn('ann', 'People')
  await heading(page, 'Users').waitFor()
  const form = page.getByRole('form', { name: 'Add a user' })
  await form.getByRole('textbox', { name: 'User', exact: true }).fill('cas')
  await form.getByRole('textbox', { name: 'Name', exact: true }).fill('Cas Example')
  await form.getByLabel('Password', { exact: true }).fill('cas is in the word')
  await button(page, 'Add').click()
  await page.getByText('The field password must not contain the name of the user.', { exact: true }).waitFor()
  await form.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await button(page, 'Add').click()
  await page.getByRole('combobox', { name: 'Role of cas' }).waitFor()
  await page.setViewportSize({ width: 360, height: 640 })
  equal(await page.evaluate(() => document.documentElement.scrollWidth), 360)

  await page.reload()
  await heading(page, 'Audit log').waitFor()
  await page.getByRole('row', { name: /ann.*addUser.*201/ }).waitFor()
  await page.getByRole('combobox', { name: 'Role of ann' }).selectOption('developer')
  await page
    .getByText('ann is the last owner of the account. Make another user an owner first.', { exact: true })
    .waitFor()
  equal(await page.getByRole('combobox', { name: 'Role of ann' }).inputValue(), 'owner')

  await button(page, 'Sign out').click()
  await page.getByText('You are signed out.', { exact: true }).waitFor()
  await page.reload()
  await heading(page, 'Sign in').waitFor()
})

test('a user without the right is refused in words, and sees nothing that is for owners', async () => {
  const page = await signedIn('ben', 'People')
  await heading(page, 'Sessions').waitFor()
  equal(await heading(page, 'Users').count(), 0)
  equal(await heading(page, 'Audit log').count(), 0)
  equal(await page.getByRole('link', { name: 'Counter', exact: true }).count(), 0)
  await page.getByRole('link', { name: 'Sandbox', exact: true }).click()
  await button(page, 'Advance by 1 minute').click()
  await page.getByText('The role read_only does not allow this.', { exact: true }).waitFor()
})

test.each([
  ['people', 'Users'],
  ['keys', 'Keys'],
])('the address of a page for users (%s) leads to the sign-in, and then to that page', async (place, title) => {
  const page = await openConsole(town, `#/${place}`)
  await heading(page, 'Sign in').waitFor()
  await fillIn(page, 'ann')
  await heading(page, title).waitFor()
})

test('a wrong password is said, and a session that was ended elsewhere asks to sign in again', async () => {
  const page = await openConsole(town, '#/sign-in')
  await fillIn(page, 'ben', 'not the right one')
  await page.getByText('The account, the user or the password is wrong.', { exact: true }).waitFor()
  await fillIn(page, 'ben')
  await heading(page, 'Transactions').waitFor()
  const owner = await signedIn('ann', 'People')
  const ends = owner.getByRole('button', { name: 'End the session of ben', exact: true })
  await ends.first().waitFor()
  for (let open = await ends.count(); open > 0; open = await ends.count()) {
    await ends.first().click()
    await expect.poll(() => ends.count()).toBeLessThan(open)
  }
  await page.getByText('Your session is over. Sign in again.', { exact: true }).waitFor()
})

test('in live mode the console begins with the sign-in, and has nothing of a sandbox', async () => {
  const page = await openConsole(town)
  await page.goto(`${town.gateway.liveUrl}/console`)
  await heading(page, 'Sign in').waitFor()
  equal(await page.getByText(/Go on with the test account/).count(), 0)
  await fillIn(page, 'ann')
  await heading(page, 'Transactions').waitFor()
  const tabs = page.getByRole('navigation', { name: 'Console' }).getByRole('link')
  deepEqual(await tabs.allTextContents(), [
    'Counter',
    'Transactions',
    'Online',
    'Requests',
    'Today',
    'People',
    'Keys',
    'Guides',
  ])
  /** What stands on each page once it has read. */
  const read: Readonly<Record<string, RegExp>> = {
    Online: /No payment yet\./,
    Requests: /\/api\/payments/,
    Today: /Nothing yet today\./,
    People: /this one/,
    Keys: /the command line/,
    Counter: /Take payments at the terminals of this account/,
    Transactions: /A till starts the first one\./,
  }
  for (const [tab, text] of Object.entries(read)) {
    await page.getByRole('link', { name: tab, exact: true }).click()
    await heading(page, tab).waitFor()
    await page.getByText(text).first().waitFor()
    deepEqual((await page.getByRole('alert').allTextContents()).filter(Boolean), [], tab)
    equal(await page.locator('main a[href="/demo"], main a[href*="counter"], main a[href*="cards"]').count(), 0, tab)
  }
})

test('no other page of the gateway reaches the session', async () => {
  const page = await signedIn('ann')
  const cookies = await page.context().cookies([`${town.gateway.url}/console`])
  ok(cookies.length > 0 && cookies.every(({ httpOnly, sameSite }) => httpOnly && sameSite === 'Strict'))
  for (const path of ['/', '/demo', '/docs/guides', '/test-cards']) {
    deepEqual(await page.context().cookies([town.gateway.url + path]), [], path)
    await page.goto(town.gateway.url + path)
    equal(await page.evaluate(() => document.cookie), '')
    const asked = await page.evaluate(async () => {
      const ask = async (address: string, method = 'GET') => {
        const answer = await fetch(address, { method })
        return `${answer.status} ${((await answer.json()) as { code?: string }).code}`
      }
      const shown = await (await fetch('/console')).text()
      return {
        answers: [await ask('/api/session'), await ask('/api/account'), await ask('/api/session', 'DELETE')],
        isTold: shown.includes('pageToken'),
      }
    })
    deepEqual(asked, { answers: Array(3).fill('403 page_token_wrong'), isTold: false }, path)
    const opened = page.context().waitForEvent('page')
    await page.evaluate(() => void Object.assign(window, { other: window.open('/console') }))
    const other = await opened
    await heading(other, 'Transactions').or(heading(other, 'Sign in')).first().waitFor()
    // Open it is; to the page that has opened it, it is closed.
    const isClosed = () => page.evaluate(() => (window as { other?: Window | null }).other?.closed ?? true)
    await expect.poll(isClosed).toBe(true)
    await other.close()
  }
  await expect.poll(async () => (await page.context().cookies([`${town.gateway.url}/api`])).length).toBe(1)
})
