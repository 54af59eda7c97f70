// web/frame/wallet.ts — the wallet's button: shown where the gateway takes a wallet that this browser can use.
import type { FormSettings } from '../protocol.ts'
import type { PageLink } from './page-link.ts'

/** Shows the button; nothing where no wallet can be used. */
export function openWallet(
  _main: Element,
  _session: { readonly page: PageLink; readonly settings: FormSettings },
  _token: () => string,
): void {}
