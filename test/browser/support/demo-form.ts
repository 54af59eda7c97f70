// test/browser/support/demo-form.ts — opens the card form of the demo shop, and fills it in.
import type { FrameLocator, Page } from 'playwright-core'

export const CHALLENGED = { number: '4456530000001096', cv2: '020' }
export const APPROVED = { number: '5200000000000056', cv2: '341' }

/** Opens the demo shop with its card form. @param url of the gateway */
export async function openForm(page: Page, url: string): Promise<FrameLocator> {
  await page.goto(`${url}/demo`)
  await page.locator('button[data-good="0"]').press('Enter')
  const form = page.frameLocator('#card-form iframe')
  await form.locator('#cv2').waitFor()
  return form
}

export async function fillForm(form: FrameLocator, { number, cv2 }: typeof APPROVED): Promise<void> {
  await form.locator('#cardName').fill('John Watson')
  await form.locator('#cardNumber').fill(number)
  await form.locator('#expiryDate').fill('12/30')
  await form.locator('#cv2').fill(cv2)
}
