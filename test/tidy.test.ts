// test/tidy.test.ts — checks the rules of STYLE.md that a program can check. Each rule must first find a bad sample: a rule
// that cannot fail is worthless.
import { deepEqual, notDeepEqual, ok } from 'node:assert/strict'
import { fileURLToPath } from 'node:url'
import { describe, test } from 'vitest'
import { FORM_RULES } from './support/tidy/form.ts'
import { GLOBAL_RULES } from './support/tidy/globals.ts'
import { LANGUAGE_RULES } from './support/tidy/language.ts'
import { readTree } from './support/tidy/source.ts'

const RULES = [...GLOBAL_RULES, ...LANGUAGE_RULES, ...FORM_RULES]
/** What an import loads, unless it is of types only. */
const IMPORT = /^(?:import|export) (?!type )(?:[^'";]* from )?'([^']+)'|\bimport\('([^']+)'\)/gm
/** Packages whose files the build copies. */
const COPIED = ['@fastify/swagger-ui']
const TREE = readTree(fileURLToPath(new URL('..', import.meta.url)))

test('the tree is not empty', () => {
  const paths = TREE.map(source => source.path)
  ok(paths.filter(path => path.startsWith('src/domain/')).length > 5)
  for (const path of ['package-lock.json', 'test/tidy.test.ts', '.ci/run', 'vitest.config.ts'])
    ok(paths.includes(path), path)
  ok(!paths.some(path => path.includes('node_modules')))
})

test('every dependency has an entry in the decision record', () => {
  const textOf = (path: string) => TREE.find(source => source.path === path)?.text ?? ''
  const { dependencies, devDependencies } = JSON.parse(textOf('package.json')) as Record<string, Record<string, string>>
  const names = [...Object.keys(dependencies ?? {}), ...Object.keys(devDependencies ?? {})]
  const told = new Set(textOf('docs/decisions/0004-dependencies.md').match(/(?<=\*\*)@?[a-z0-9./_-]+(?=\*\*)/g))
  ok(names.length > 10)
  deepEqual(
    { untold: names.filter(name => !told.has(name)), gone: [...told].filter(name => !names.includes(name)) },
    { untold: [], gone: [] },
  )
})

test('what ships is what the decision record lists as in the product, and only native packages are installed with it', () => {
  const textOf = (path: string) => TREE.find(source => source.path === path)?.text ?? ''
  const [, product = ''] = textOf('docs/decisions/0004-dependencies.md').split(/^## .*\n/m)
  const listed = [...product.matchAll(/\*\*([^*]+)\*\*/g)].map(([, name]) => name ?? '')
  const shipped = TREE.filter(({ path }) => /^(src|web)\/.*\.ts$/.test(path) && path !== 'web/build.ts')
  const imported = shipped.flatMap(({ text }) =>
    [...text.matchAll(IMPORT)].map(([, early, late]) => early ?? late ?? '').filter(name => !/^(node:|\.)/.test(name)),
  )
  const packages = new Set(imported.map(name => name.split('/', name.startsWith('@') ? 2 : 1).join('/')))
  ok(packages.has('fastify'))
  deepEqual([...packages, ...COPIED].sort(), listed.toSorted())
  const { dependencies } = JSON.parse(textOf('package.json')) as Record<string, Record<string, string>>
  deepEqual(Object.keys(dependencies ?? {}), ['better-sqlite3'])
})

describe.each(RULES)('$says', rule => {
  test('each bad sample is found', () => {
    ok(rule.bad.length > 0)
    for (const sample of rule.bad) {
      ok(rule.applies(sample.path), sample.path)
      notDeepEqual(rule.find(sample), [], sample.text)
    }
  })

  test('similar good samples are accepted', () => {
    ok(rule.good.length > 0)
    for (const sample of rule.good) deepEqual(rule.find(sample), [], sample.text)
  })

  test('the tree has no violation', () => {
    const found = TREE.filter(source => rule.applies(source.path)).flatMap(source =>
      rule.find(source).map(finding => `${source.path}:${finding}`),
    )
    deepEqual(found, [])
  })
})
