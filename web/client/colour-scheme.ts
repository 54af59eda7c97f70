// web/client/colour-scheme.ts — whether the merchant's page is light or dark, now and when the shopper's system changes.
import type { ColourScheme } from '../protocol.ts'

/** The page's present colour scheme. A frame in another scheme would stand out, and browsers paint it opaque. */
export function colourSchemeOf(page: Element): ColourScheme {
  const own = getComputedStyle(page).colorScheme
  const meta = document.querySelector<HTMLMetaElement>('meta[name="color-scheme"]')?.content ?? ''
  const allowed = (own === 'normal' ? meta : own).split(' ')
  if (!allowed.includes('dark')) return 'light'
  return !allowed.includes('light') || systemIsDark().matches ? 'dark' : 'light'
}

/** Calls `changed` with the page's scheme each time the system switches between light and dark. */
export function watchColourScheme(page: Element, changed: (scheme: ColourScheme) => void): void {
  systemIsDark().addEventListener('change', () => changed(colourSchemeOf(page)))
}

function systemIsDark(): MediaQueryList {
  return matchMedia('(prefers-color-scheme: dark)')
}
