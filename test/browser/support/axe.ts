// test/browser/support/axe.ts — what axe finds on a page and in all frames of it.
import axe, { type AxeResults, type RunOptions } from 'axe-core'
import type { Frame, Page } from 'playwright-core'

export interface AxeOptions {
  /** Only these rules. */
  readonly rules?: readonly string[]
  /** All rules but these. */
  readonly without?: readonly string[]
  /** Selectors of the elements that are looked at, with what is in them. A list is a way through frames. The whole page without it. */
  readonly within?: readonly (string | readonly string[])[]
}

/** What excludes people. */
export interface Violation {
  readonly rule: string
  /** Source of each element. */
  readonly elements: readonly string[]
}

/**
 * Runs axe in the page itself; the frames answer by messages. The package for Playwright runs it in one frame after another,
 * carries what was found in order through the test, and takes three times as long.
 * @throws Error when a frame does not answer
 */
export async function violationsOn(
  page: Page,
  { rules, without = [], within }: AxeOptions = {},
): Promise<readonly Violation[]> {
  for (const frame of page.frames()) await addAxe(frame)
  const options: RunOptions = {
    resultTypes: ['violations', 'incomplete'],
    selectors: false,
    ...(rules === undefined ? {} : { runOnly: { type: 'rule', values: ['frame-tested', ...rules] } }),
    rules: Object.fromEntries(without.map(rule => [rule, { enabled: false }])),
  }
  const { violations, incomplete } = await page.evaluate(
    ({ within, options }) =>
      (globalThis as unknown as { axe: typeof axe }).axe.run(
        within === undefined ? document : { include: within },
        options,
      ),
    { within: within as (string | string[])[] | undefined, options },
  )
  const silent = incomplete.filter(({ id }) => id === 'frame-tested')
  if (silent.length > 0) throw new Error(`axe does not reach ${elementsOf(silent).join(', ')}`)
  return violations.map(found => ({ rule: found.id, elements: elementsOf([found]) }))
}

function elementsOf(found: AxeResults['violations']): string[] {
  return found.flatMap(({ nodes }) => nodes.map(({ html }) => html))
}

/** Once for each document. Frames of other origins may answer too. */
async function addAxe(frame: Frame): Promise<void> {
  if (await frame.evaluate(() => 'axe' in globalThis)) return
  await frame.evaluate(axe.source)
  await frame.evaluate(() => {
    ;(globalThis as unknown as { axe: typeof axe }).axe.configure({ allowedOrigins: ['<unsafe_all_origins>'] })
  })
}
