// test/browser/fresh-machine.test.ts — the browser of the tests depends on nothing that an earlier run left on the machine.
import { equal, ok } from 'node:assert/strict'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'vitest'
import { openBrowser, unpackedChromium } from './support/browser.ts'

describe('the packaged Chromium', () => {
  test('reads fonts from its own folder only, which has some', async () => {
    const directory = await unpackedChromium()
    const configuration = readFileSync(join(directory, 'fonts', 'fonts.conf'), 'utf8')
    const folders = [...configuration.matchAll(/<dir[^>]*>([^<]*)<\/dir>/g)].map(([, folder = '']) => folder)
    ok(folders.length > 0)
    for (const folder of folders) {
      ok(folder.startsWith(`${directory}/`), `${folder} lies outside of the unpacked browser`)
      ok(statSync(folder).isDirectory())
      ok(
        readdirSync(folder, { recursive: true }).some(name => String(name).endsWith('.ttf')),
        `${folder} holds no font`,
      )
    }
    for (const [, folder = ''] of configuration.matchAll(/<cachedir[^>]*>([^<]*)<\/cachedir>/g))
      ok(folder.startsWith(`${directory}/`), `${folder} lies outside of the unpacked browser`)
    equal(/<include|prefix="xdg"/.test(configuration), false)
  })

  test('draws the text of an input field', async () => {
    const browser = await openBrowser()
    try {
      const page = await browser.newPage()
      await page.setContent('<span id="text">iiiiiiiiii</span><br><input id="field" value="MMMMMMMMMM">')
      await page.locator('#field').fill('4111')
      equal(await page.locator('#field').inputValue(), '4111')
      const width = await page.locator('#text').evaluate(element => element.getBoundingClientRect().width)
      ok(width > 10, `ten letters are ${width} pixels wide`)
    } finally {
      await browser.close()
    }
  })
})
