// test/unit/docs.test.ts — the generated pages are what the code says now.
import { equal, ok } from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'vitest'
import { PAGES } from '../../docs/generators/pages.ts'

const ROOT = new URL('../../', import.meta.url).pathname

for (const [name, page] of Object.entries(PAGES))
  test(`docs/${name} is up to date (npm run docs)`, () => {
    equal(readFileSync(join(ROOT, 'docs', name), 'utf8'), page())
  })

test('every link between the pages leads to a file that is there', () => {
  const pages = ['.', 'docs', 'docs/decisions', 'bench'].flatMap(folder =>
    existsSync(join(ROOT, folder))
      ? readdirSync(join(ROOT, folder))
          .filter(name => name.endsWith('.md'))
          .map(name => join(folder, name))
      : [],
  )
  let links = 0
  for (const page of pages)
    for (const [, target = ''] of readFileSync(join(ROOT, page), 'utf8').matchAll(/\]\(([^)#\s]+)[^)]*\)/g)) {
      if (/^[a-z]+:/.test(target)) continue
      links += 1
      ok(existsSync(join(ROOT, dirname(page), target)), `${page} links to ${target}`)
    }
  ok(links > 0)
})
