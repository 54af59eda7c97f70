// test/browser/support/town.ts — the set-up of browser tests: a gateway, a shop's site and a browser.
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

/** Opens all three. If one fails, closes those already open. */
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
