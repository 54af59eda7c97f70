// test/unit/docs/tags.test.ts — guides name only tags of this repository that exist.
import { deepEqual } from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { test } from 'vitest'
import { readTree } from '../../support/tidy/source.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))

/** The ways in which a guide names a tag: to check out, to download, as the version of a package or an image, by its shape. */
const TAGS: readonly RegExp[] = [
  /\bref: *['"]?(?!COMMIT)([^\s'",}]+)/g,
  /--branch[ =]([\w./-]+)/g,
  /\bgit (?:checkout|switch)(?: --?\w+)* (v?\d[\w.-]*)/g,
  /\brefs\/tags\/([\w.-]+)/g,
  /\/(?:archive|releases\/tag|releases\/download)\/([\w.-]+?)(?=\/|\)|\.tar|\.zip|\s|$)/g,
  /\btollgate[@#:]((?:semver:)?v?\d[\w.-]*)/g,
  // Releases of Node.js are written the same way.
  /(?<!Node )\b(v\d+\.\d+\.\d+(?:-[\w.-]*\w)?)/g,
]

function tagsIn(text: string): readonly string[] {
  return [...new Set(TAGS.flatMap(pattern => [...text.matchAll(pattern)].map(([, tag = '']) => tag)))]
}

test.each([
  ['with: { repository: your/tollgate, ref: v0.1.0, path: tollgate }', 'v0.1.0'],
  ["ref: 'stable'", 'stable'],
  ['git clone --branch release-1 https://host.example/tollgate', 'release-1'],
  ['git checkout 0.1', '0.1'],
  ['curl -L https://host.example/tollgate/archive/refs/tags/0.3.tar.gz', '0.3.tar.gz'],
  ['https://host.example/tollgate/releases/download/1.0/tollgate.tgz', '1.0'],
  ['npm i -g tollgate@0.1.0', '0.1.0'],
  ['docker run tollgate:0.2', '0.2'],
  ['New since v0.1.2.', 'v0.1.2'],
])('finds the tag in: %s', (text, tag) => {
  deepEqual(tagsIn(text).includes(tag), true, String(tagsIn(text)))
})

test.each([
  'with: { repository: your/tollgate, ref: COMMIT, path: tollgate }',
  'uses: actions/checkout@v4',
  'Node v20.20.2',
  'docker run tollgate:latest',
  'git checkout main',
  '/openapi.json of 0.1.0',
])('finds none in: %s', text => {
  deepEqual(tagsIn(text), [])
})

test('every tag in a guide exists', () => {
  const guides = readTree(ROOT).filter(({ path }) => path.endsWith('.md'))
  // A copy without its history has no tags, and guides that name some cannot be held there: fetch them first.
  const { stdout } = spawnSync('git', ['tag', '--list'], { cwd: ROOT, encoding: 'utf8' })
  const tags = new Set((stdout ?? '').split('\n'))
  const missing = guides.flatMap(({ path, text }) =>
    tagsIn(text)
      .filter(tag => !tags.has(tag))
      .map(tag => `${path}: ${tag}`),
  )
  deepEqual(missing, [])
})
