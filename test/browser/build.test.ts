// test/browser/build.test.ts — browser bundles: size, hashes and forbidden content; security headers; languages of the form.
import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, test } from 'vitest'
import { countriesIn } from '../../web/frame/countries.ts'
import { LOCALES } from '../../web/frame/texts.ts'
import { openGateway, type RunningGateway } from './support/gateway.ts'

let gateway: RunningGateway

beforeAll(async () => {
  gateway = await openGateway()
})

afterAll(() => gateway?.close())

/** Size limit of a script on a merchant's page, compressed bytes. The frame loads in parallel and does not count. */
const BUDGET = { 'client.js': 12_000, 'checkout.js': 24_000 }

interface Published {
  readonly version: string
  readonly scripts: Readonly<
    Record<string, { readonly plain: string; readonly versioned: string; readonly integrity: string }>
  >
}

async function published(): Promise<Published> {
  return (await (await fetch(`${gateway.url}/assets/integrity.json`)).json()) as Published
}

test.each(Object.entries(BUDGET))('%s has at most %i bytes when compressed', async (name, most) => {
  const bytes = Buffer.from(await (await fetch(`${gateway.url}/assets/js/${name}`)).arrayBuffer())
  const size = gzipSync(bytes).length
  ok(size > 1_000 && size <= most, `${size} bytes`)
})

/** What a first visit to the console may load, compressed bytes: a second on a slow line. */
const CONSOLE_BUDGET = 200_000

test('the console has at most 200,000 bytes when compressed', async () => {
  const html = await (await fetch(`${gateway.url}/console`)).text()
  const files = [...html.matchAll(/(?:src|href)="(\/assets\/js\/console-[^"]+)"/g)].map(([, path]) => path)
  equal(files.length, 2)
  const bytes = await Promise.all(
    files.map(async path => Buffer.from(await (await fetch(gateway.url + path)).arrayBuffer())),
  )
  const size = bytes.reduce((sum, each) => sum + gzipSync(each).length, 0)
  ok(size > 10_000 && size <= CONSOLE_BUDGET, `${size} bytes`)
})

test('published hashes match the files, under the plain and the immutable name', async () => {
  const { version, scripts } = await published()
  deepEqual(Object.keys(scripts).sort(), ['checkout.js', 'client.js'])
  for (const { plain, versioned, integrity } of Object.values(scripts)) {
    match(versioned, new RegExp(`-${version.replaceAll('.', '\\.')}-[A-Z0-9]+\\.js$`))
    for (const [address, cached] of [
      [plain, /max-age=300/],
      [versioned, /max-age=31536000, immutable/],
    ] as const) {
      const response = await fetch(address, { headers: { origin: 'https://shop.example' } })
      const bytes = Buffer.from(await response.arrayBuffer())
      equal(`sha384-${createHash('sha384').update(bytes).digest('base64')}`, integrity)
      match(response.headers.get('cache-control') ?? '', cached)
      equal(response.headers.get('access-control-allow-origin'), '*')
      match(response.headers.get('content-type') ?? '', /^text\/javascript/)
    }
    const map = await fetch(`${versioned}.map`)
    deepEqual([map.status, Object.keys((await map.json()) as object).includes('sources')], [200, true])
  }
})

test('client.js is also at both addresses of the twin brand', async () => {
  const script = await (await fetch(`${gateway.url}/assets/js/client.js`)).text()
  for (const path of ['/payments/v1/client.js', '/test/payments/v1/client.js']) {
    const response = await fetch(gateway.url + path, { headers: { origin: 'https://shop.example' } })
    deepEqual([response.status, (await response.text()) === script], [200, true], path)
    match(response.headers.get('content-type') ?? '', /^text\/javascript/)
    match(response.headers.get('cache-control') ?? '', /max-age=300/)
    equal(response.headers.get('access-control-allow-origin'), '*')
  }
})

test('scripts on merchants’ pages evaluate no code and store no data', async () => {
  for (const name of Object.keys(BUDGET)) {
    const text = await (await fetch(`${gateway.url}/assets/js/${name}`)).text()
    for (const word of [
      /\beval\(/,
      /new Function/,
      /localStorage/,
      /document\.cookie/,
      /innerHTML/,
      /setAttribute\("style"/,
    ])
      ok(!word.test(text), `${name}: ${word}`)
  }
})

test('a file that was never built is not found', async () => {
  for (const name of ['nothing.js', '..%2Fmanifest.json', 'manifest.json', 'constructor', '__proto__'])
    equal((await fetch(`${gateway.url}/assets/js/${name}`)).status, 404, name)
})

test('frame documents load nothing from other origins, and only the merchant may embed them', async () => {
  const token = await gateway.token()
  for (const path of ['/payment-form', '/three-ds', '/wallet-sheet']) {
    const { headers } = await fetch(`${gateway.url}${path}?token=${token}`)
    const policy = headers.get('content-security-policy') ?? ''
    match(policy, /^default-src 'none'; script-src 'self'; style-src 'self'; font-src 'none'; /)
    ok(!/unsafe|\bdata:|\*(?!;| |$)/.test(policy.replaceAll(':*', '')), policy)
    const ancestors = /frame-ancestors (.*)$/.exec(policy)?.[1] ?? ''
    ok(ancestors.includes('https://shop.example:*') && !/(^| )\*/.test(ancestors), ancestors)
    equal(headers.get('referrer-policy'), 'no-referrer')
    match(headers.get('permissions-policy') ?? '', /payment=\(self\)/)
    equal(headers.get('cache-control'), 'no-store')
  }
})

test('fonts of a page open the policy for their own host only, and malformed addresses are ignored', async () => {
  const token = await gateway.token()
  const ask = async (font: string) =>
    (await fetch(`${gateway.url}/payment-form?${new URLSearchParams({ token, font })}`)).headers.get(
      'content-security-policy',
    ) ?? ''
  match(await ask('https://fonts.example'), /style-src 'self' https:\/\/fonts\.example; font-src https:;/)
  for (const bad of [
    'http://fonts.example',
    "https://a.example 'unsafe-inline'",
    'https://a.example; script-src *',
    '*',
  ])
    match(await ask(bad), /style-src 'self'; font-src 'none';/)
})

test('every language has every text', () => {
  const names = Object.keys(LOCALES['en'] ?? {})
  deepEqual(Object.keys(LOCALES).sort(), ['cy', 'de', 'en', 'es', 'fr', 'it', 'nl', 'pl'])
  for (const [language, texts] of Object.entries(LOCALES)) {
    deepEqual(Object.keys(texts), names, language)
    for (const [name, text] of Object.entries(texts)) ok(text.trim() !== '', `${language}.${name}`)
  }
})

test('the list of countries is the engine’s, without duplicates', () => {
  const countries = countriesIn('en')
  equal(countries.length, 249)
  equal(new Set(countries.map(({ letters }) => letters)).size, 249)
  for (const { letters, number, name } of countries) {
    equal(new Intl.Locale(`und-${number}`).region, letters)
    ok(name !== letters, letters)
  }
})
