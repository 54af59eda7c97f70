// test/browser/support/shop-page.ts — a shop's page with a form, and its shopper.
import type { Browser, FrameLocator, Page } from 'playwright-core'
import type { ShopServer } from './shop-server.ts'

export interface FormRequest {
  readonly token: string
  readonly kind?: 'ConnectE' | 'ConnectERecurringPayment' | 'Wallet'
  readonly config?: Readonly<Record<string, unknown>>
  /** Argument of `executePayment`. */
  readonly info?: unknown
  readonly lang?: string
  readonly dir?: 'rtl'
  /** Overrides the page's content security policy. */
  readonly policy?: string | null
  readonly head?: string
  /** Runs first in each document. */
  readonly init?: string
  readonly body?: string
}

export interface Settled {
  readonly kind: 'resolved' | 'rejected'
  readonly value: unknown
}

/** A callback that the page received. */
export interface Told {
  readonly what: string
  readonly value?: unknown
}

export interface OpenedForm {
  readonly page: Page
  readonly frame: FrameLocator
  /** Fills the form in at once, as browsers and password managers do; typing has tests of its own. */
  fill(card: {
    readonly number: string
    readonly cv2?: string
    readonly expiry?: string
    readonly name?: string
  }): Promise<void>
  /** Presses the shop's button. */
  press(): Promise<void>
  /** How the promise settled. */
  settled(): Promise<Settled>
  told(): Promise<readonly Told[]>
  close(): Promise<void>
}

/** The page as a merchant would write it. */
export function shopHtml(gateway: string, requested: FormRequest): string {
  const config = {
    containerId: 'form',
    paymentDetails: { paymentToken: requested.token },
    styles: { base: {} },
    ...requested.config,
  }
  const shop = JSON.stringify({ kind: requested.kind ?? 'ConnectE', config, info: requested.info })
  return `<!doctype html>
<html lang="${requested.lang ?? 'en'}"${requested.dir === undefined ? '' : ` dir="${requested.dir}"`}>
<head>
<meta charset="utf-8">
<title>Shop</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="/shop.css">${requested.head ?? ''}
<script src="${gateway}/assets/js/client.js" defer></script>
<script src="/shop.js" defer></script>
</head>
<body data-shop="${shop.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}">
<main>
<h1>Pay for your order</h1>
<div id="form"></div>
<div role="alert"><ul id="errors"></ul></div>
${requested.kind === 'Wallet' ? '' : '<button id="pay-button" type="button">Pay</button>'}
<output id="result"></output>${requested.body ?? ''}
</main>
</body>
</html>`
}

/** Opens the page in a new browser context, and waits for the form. */
export async function openForm(
  browser: Browser,
  gateway: string,
  shop: ShopServer,
  requested: FormRequest,
  context: Parameters<Browser['newContext']>[0] = {},
): Promise<OpenedForm> {
  const opened = await browser.newContext(context)
  const page = await opened.newPage()
  page.setDefaultTimeout(10_000)
  if (requested.init !== undefined) await page.addInitScript(requested.init)
  const policy = requested.policy === undefined ? {} : { policy: requested.policy }
  await page.goto(shop.page({ html: shopHtml(gateway, requested), ...policy }))
  await page.locator('body[data-loaded]').waitFor()
  return openedForm(page, () => opened.close())
}

/** The shopper on a page that is open. */
export function openedForm(page: Page, close: () => Promise<void>): OpenedForm {
  const frame = page.frameLocator('#form iframe')
  const result = page.locator('#result')
  return {
    page,
    frame,
    async fill({ number, cv2 = '020', expiry = '1230', name = 'John Watson' }) {
      await frame.locator('#cardName').fill(name)
      await frame.locator('#cardNumber').fill(number)
      await frame.locator('#expiryDate').fill(expiry)
      await frame.locator('#cv2').fill(cv2)
    },
    // By keyboard: in a headless browser a click right after scrolling over an out-of-process frame can miss.
    press: () => page.locator('#pay-button').press('Enter'),
    async settled() {
      await page.locator('#result:not(:empty)').waitFor({ state: 'attached' })
      const kind = (await result.getAttribute('data-kind')) as Settled['kind']
      return { kind, value: JSON.parse((await result.textContent()) ?? 'null') }
    },
    told: () => page.evaluate('window.told') as Promise<readonly Told[]>,
    close,
  }
}
