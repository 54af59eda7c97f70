// test/unit/docs/docs.test.ts — generated pages are current, links resolve, decision records are complete.
import { equal, match, ok } from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'vitest'
import { answerExamplesFile } from '../../../docs/generators/answer-examples.ts'
import { PAGES } from '../../../docs/generators/pages.ts'

const ROOT = new URL('../../../', import.meta.url).pathname

for (const [name, page] of Object.entries(PAGES))
  test(`docs/${name} is up to date (npm run docs)`, () => {
    equal(readFileSync(join(ROOT, 'docs', name), 'utf8'), page())
  })

test('the examples of answers are up to date (npm run docs)', () => {
  equal(readFileSync(join(ROOT, 'src/api/describe/answer-examples.json'), 'utf8'), answerExamplesFile())
})

test('every link between pages resolves to a file', () => {
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

const RECORDS = readdirSync(join(ROOT, 'docs/decisions'))
  .filter(name => /^\d{4}-/.test(name))
  .map(name => ({
    name,
    number: Number(name.slice(0, 4)),
    text: readFileSync(join(ROOT, 'docs/decisions', name), 'utf8'),
  }))

test('each decision record is in force, says since when, and is in the index', () => {
  const index = readFileSync(join(ROOT, 'docs/decisions/README.md'), 'utf8')
  ok(RECORDS.length > 0)
  for (const { name, number, text } of RECORDS) {
    match(text, new RegExp(`^# ${number}\\. .+\\n\\nIn force since \\d+\\.\\d+\\.\\d+`), name)
    ok(index.includes(`](${name})`), `docs/decisions/README.md has no line for ${name}`)
  }
})

test('related decision records link to each other', () => {
  // The links before the first heading of a record.
  const related = new Map(
    RECORDS.map(({ name, text }) => [
      name,
      [...(text.split('\n## ')[0] ?? '').matchAll(/\]\((\d{4}-[^)]+)\)/g)].map(link => link[1]),
    ]),
  )
  ok([...related.values()].some(names => names.length > 0))
  for (const [name, others] of related)
    for (const other of others) ok(related.get(other ?? '')?.includes(name), `${other} does not link back to ${name}`)
})

test('each decision record that a comment names exists', () => {
  const numbers = new Set(RECORDS.map(({ number }) => number))
  let named = 0
  for (const folder of ['src', 'web', 'test'])
    for (const path of readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }))
      if (path.endsWith('.ts'))
        for (const [, number] of readFileSync(join(ROOT, folder, path), 'utf8').matchAll(/\b(?:ADR|Decision) (\d+)/g)) {
          named += 1
          ok(numbers.has(Number(number)), `${folder}/${path} names decision ${number}`)
        }
  ok(named > 0)
})

test('in the guide’s page with the hosted form a screen reader announces the errors', () => {
  const guide = readFileSync(join(ROOT, 'docs/hosted-form.md'), 'utf8')
  const [, list = ''] = /getElementById\('(\w+)'\)\n\s*const form/.exec(guide) ?? []
  match(guide, new RegExp(`<div role="alert"><ul id="${list}"></ul></div>`))
})
