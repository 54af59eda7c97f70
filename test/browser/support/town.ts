// test/browser/support/town.ts — what every test of the form needs: a gateway, a shop on a page of its own, and a browser.
import type { Browser } from 'playwright-core'
import { openBrowser } from './browser.ts'
import { type LiveWallets, openGateway, type RunningGateway } from './gateway.ts'
import { openShopServer, type ShopServer } from './shop-server.ts'

export interface Town {
  readonly gateway: RunningGateway
  readonly shop: ShopServer
  readonly browser: Browser
  close(): Promise<void>
}

/** Opens all three; when one of them fails, what is open already is closed. */
export async function openTown(live?: LiveWallets): Promise<Town> {
  const open: { close(): Promise<unknown> }[] = []
  const keep = <Part extends { close(): Promise<unknown> }>(part: Part): Part => {
    open.unshift(part)
    return part
  }
  const close = async (): Promise<void> => {
    for (const part of open) await part.close()
  }
  try {
    const gateway = keep(await openGateway(live))
    const shop = keep(await openShopServer(gateway.url))
    const browser = keep(await openBrowser())
    return { gateway, shop, browser, close }
  } catch (error) {
    await close()
    throw error
  }
}
