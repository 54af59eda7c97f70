// test/api/guides.test.ts — the guides are served: every page, every link between them, with ETag and strict policy.
import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { beforeAll, test } from 'vitest'
import { buildWeb } from '../../web/build.ts'
import { openShop } from '../support/shop.ts'
import { type Reply, send } from '../support/till.ts'

const DOCS = fileURLToPath(new URL('../../docs', import.meta.url))

beforeAll(buildWeb)

type Get = (path: string, headers?: Record<string, string>) => Promise<Reply>

async function openBrowser(): Promise<Get> {
  const shop = await openShop()
  return (path, headers = {}) => send(shop.api.inject, 'GET', path, headers)
}

test('every page under docs is served, and every link on it leads to a page and a heading that exist', async () => {
  const get = await openBrowser()
  const found = new Map<string, string>()
  const wanted = ['/docs/guides']
  const links: { readonly from: string; readonly path: string; readonly anchor: string }[] = []
  for (let path = wanted.pop(); path !== undefined; path = wanted.pop()) {
    if (found.has(path)) continue
    const { status, text, headers } = await get(path)
    equal(status, 200, path)
    found.set(path, text)
    if (!path.startsWith('/docs/guides') || !headers['content-type']?.startsWith('text/html')) continue
    for (const [, target = ''] of text.matchAll(/ (?:href|src)="([^"]*)"/g)) {
      if (/^[a-z]+:/.test(target)) continue
      const { pathname, hash } = new URL(target, `http://gateway${path}`)
      links.push({ from: path, path: pathname, anchor: decodeURIComponent(hash.slice(1)) })
      wanted.push(pathname)
    }
  }
  deepEqual(
    links.filter(({ path, anchor }) => anchor !== '' && !found.get(path)?.includes(` id="${anchor}"`)),
    [],
  )
  const sources = ['', '/decisions'].flatMap(folder =>
    readdirSync(DOCS + folder)
      .filter(name => name.endsWith('.md'))
      .map(name => `/docs/guides${folder}/${name.replace(/\.md$/, '')}`.replace(/\/README$/, '')),
  )
  ok(sources.length > 20)
  deepEqual(
    sources.filter(path => !found.has(path)),
    [],
  )
})

test('an unchanged guide, picture or index is 304', async () => {
  const get = await openBrowser()
  for (const path of ['/docs/guides', '/docs/guides/sandbox', '/docs/guides/files/search.json']) {
    const { headers } = await get(path)
    const { etag = '' } = headers
    match(etag, /^"[\w-]{22}"$/)
    equal(headers['cache-control'], 'no-cache')
    const again = await get(path, { 'if-none-match': `W/"other", ${etag}` })
    deepEqual([again.status, again.text], [304, ''])
    equal((await get(path, { 'if-none-match': '"other"' })).status, 200)
  }
})

test('guides have no inline scripts or styles, and load nothing from other hosts', async () => {
  const get = await openBrowser()
  for (const path of ['/docs/guides', '/docs/guides/states', '/docs/guides/hosted-form', '/docs/guides/decisions']) {
    const { text, headers } = await get(path)
    ok(!headers['content-security-policy']?.includes('unsafe'))
    ok(!/<style| style=|<script(?! src="\/)|<!--| on\w+=/.test(text), path)
    for (const [, source] of text.matchAll(/<(?:script|link|img)[^>]*(?:src|href)="([^"]*)"/g))
      match(source ?? '', /^\//)
  }
})

test('what is no guide is 404', async () => {
  const get = await openBrowser()
  for (const path of ['none', 'README', 'sandbox.md', 'decisions/none', 'files/none.png', 'files/manifest.json'])
    equal((await get(`/docs/guides/${path}`)).status, 404, path)
  for (const path of ['files/..%2Fmanifest.json', 'files/..%2F..%2Fpackage.json', '__proto__'])
    equal((await get(`/docs/guides/${path}`)).status, 404, path)
})
