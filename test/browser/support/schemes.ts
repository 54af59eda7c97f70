// test/browser/support/schemes.ts — compares what a page shows in dark colours with what it shows in light ones.
import { deepEqual } from 'node:assert/strict'
import type { Page } from 'playwright-core'

/** A page that changes by itself meanwhile is compared again, at most so often. */
const TRIES = 20

/** A border that only one scheme has moves what is inside of it. */
const BORDER_PX = 2

type Scheme = 'light' | 'dark'

/** An element as a scheme shows it. */
interface Shown {
  /** Its position in the document, tag, ARIA attributes, font, and whether it is seen. */
  readonly what: string
  /** Left, top, width, height in pixels. */
  readonly box: readonly number[]
}

/**
 * Checks that the page, which is in dark colours, shows the same elements in the same places in light ones. Leaves it in dark
 * colours. @throws AssertionError with the elements that differ.
 */
export async function differsInColoursOnly(page: Page): Promise<void> {
  for (let left = TRIES; ; left -= 1) {
    const before = await shownIn(page, 'dark')
    const light = await shownIn(page, 'light')
    const dark = await shownIn(page, 'dark')
    if (left > 0 && differing(before, dark).length > 0) continue
    deepEqual(differing(dark, light), [], 'elements that the two schemes do not show in the same way')
    return
  }
}

/** The elements that differ: as dark and as light. */
function differing(dark: readonly Shown[], light: readonly Shown[]): readonly (readonly (Shown | undefined)[])[] {
  return Array.from({ length: Math.max(dark.length, light.length) }, (_, index) => [dark[index], light[index]]).filter(
    ([one, other]) => one === undefined || other === undefined || !isSame(one, other),
  )
}

function isSame(one: Shown, other: Shown): boolean {
  return one.what === other.what && one.box.every((px, side) => Math.abs(px - (other.box[side] ?? 0)) <= BORDER_PX)
}

/** Each element of each frame in this scheme. */
async function shownIn(page: Page, scheme: Scheme): Promise<readonly Shown[]> {
  await page.emulateMedia({ colorScheme: scheme })
  const shown = await Promise.all(page.frames().map(frame => frame.evaluate(elementsIn, scheme)))
  return shown.flatMap((elements, frame) => elements.map(({ what, box }) => ({ what: `frame ${frame}: ${what}`, box })))
}

/** Runs in the page. */
async function elementsIn(scheme: Scheme): Promise<Shown[]> {
  // The card form reads its scheme once, when it opens.
  const { dataset } = document.documentElement
  if (dataset['scheme'] !== undefined) dataset['scheme'] = scheme
  // A frame of another origin is told later. Listeners of the scheme run before the next animation frame.
  do await new Promise(resolve => requestAnimationFrame(resolve))
  while (matchMedia('(prefers-color-scheme: dark)').matches !== (scheme === 'dark'))
  // Colours may change gradually.
  const transitions = document.getAnimations().filter(each => each instanceof CSSTransition)
  await Promise.all(transitions.map(each => each.finished.catch(() => {})))
  return [...document.querySelectorAll('body, body *')].map((element, index) => {
    const { x, y, width, height } = element.getBoundingClientRect()
    const { fontSize, fontWeight, textDecorationLine, pointerEvents } = getComputedStyle(element)
    const seen = element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) ? 'seen' : 'unseen'
    const aria = [...element.attributes].filter(({ name }) => name.startsWith('aria-') || name === 'role')
    const attributes = aria.map(({ name, value }) => `${name}=${value}`)
    const style = [fontSize, fontWeight, textDecorationLine, pointerEvents, seen]
    return { what: [index, element.tagName, ...attributes, ...style].join(' '), box: [x, y, width, height] }
  })
}
