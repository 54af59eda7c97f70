// test/cli/iso8583-gateway.test.ts — payments over a host in another process, by a gateway that is killed.
import { deepEqual, equal, match } from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type AcquirerHost, hostDocument, startAcquirerHost } from '../support/acquirer-host.ts'
import { emptyDirectory, run, runJson, type Serving, serving } from './tollgate.ts'

let host: AcquirerHost
beforeAll(async () => {
  host = await startAcquirerHost()
})
afterAll(() => host.end())

const CARD = { cardName: 'John Watson', cardNumber: '5200000000000056', expiryDate: '12 / 30', cV2: '341' }

/** A data directory whose account harbour pays at the host, and the setting that describes the host. */
async function withHost(port: number) {
  const data = emptyDirectory()
  const folder = emptyDirectory()
  const { timers } = hostDocument()
  // Long enough for a busy machine, because an answer that is late is reversed.
  writeFileSync(join(folder, 'dialect.json'), JSON.stringify(hostDocument({ timers: { ...timers, answerMs: 10_000 } })))
  const file = join(folder, 'host.json')
  const settings = { 18: '5411', 32: '123456', 41: '29110001', 42: 'HARBOUR', 43: 'Harbour Cafe' }
  const document = { dialect: 'dialect.json', addresses: [{ host: '127.0.0.1', port }], tls: 'none' }
  writeFileSync(file, JSON.stringify({ ...document, timeZone: 'Europe/London', settings }))
  const create = ['accounts', 'create', 'harbour', '--name', 'Harbour', '--acquirer', 'iso8583']
  await runJson([...create, '--merchant-host', 'shop.example', '--data', data])
  return { data, file, env: { TOLLGATE_ACQUIRER_FILE: file } }
}

async function shopOf({ summary }: Serving, data: string) {
  const { token } = await runJson<{ token: string }>(['token', 'harbour', '--data', data, '--audience', summary.url])
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  return {
    async order(orderId: string): Promise<string> {
      const body = {
        merchantUrl: 'shop.example',
        currencyCode: '826',
        amount: '1999',
        transactionType: 'SALE',
        orderId,
      }
      const made = await fetch(`${summary.url}/v1/access-tokens`, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
      })
      return ((await made.json()) as { readonly id: string }).id
    },
    pay: (id: string) =>
      fetch(`${summary.url}/api/payments/${id}`, { method: 'POST', headers, body: JSON.stringify(CARD) }),
    async payment(id: string) {
      const read = await fetch(`${summary.url}/v1/payments/${id}`, { headers })
      return (await read.json()) as { readonly statusCode?: number; readonly authCode?: string }
    },
  }
}

test('a payment of a killed gateway is reversed by the next one, and never sent again', async () => {
  const { data, env } = await withHost(await host.open())
  const gateway = await serving(data, env)
  const shop = await shopOf(gateway, data)
  const first = await shop.order('H-1')
  await shop.pay(first)
  const { authCode } = await shop.payment(first)
  equal(authCode, 'A00001')
  await host.deeds('0200', { deed: 'silent' })
  const second = await shop.order('H-2')
  void shop.pay(second).catch(() => {})
  await expect.poll(async () => (await host.seen('0200')).length, { timeout: 60_000, interval: 20 }).toBe(2)
  gateway.child.kill('SIGKILL')
  await gateway.ended
  const next = await serving(data, env)
  const again = await shopOf(next, data)
  const patience = { timeout: 120_000, interval: 100 }
  await expect.poll(async () => (await host.seen('0420')).length, patience).toBe(1)
  // The security code went with the killed process, so the gateway asks for the reversal too, and the payment fails.
  await expect.poll(async () => (await again.payment(second)).statusCode, patience).toBe(30)
  equal((await again.payment(first)).authCode, 'A00001')
  deepEqual(await host.book(), { total: 1999, repeats: 0 })
  equal((await host.seen('0200')).length, 2)
  equal((await next.stop()).code, 0)
  equal((await host.seen('0800')).at(-1)?.['70'], '002')
}, 180_000)

test('a document that cannot be used stops the gateway, with what is wrong in it', async () => {
  const { data, file } = await withHost(1)
  const sentenceOf = async (document: object) => {
    writeFileSync(file, JSON.stringify(document))
    const { code, stderr } = await run(['serve', '--data', data, '--port', '0'], { TOLLGATE_ACQUIRER_FILE: file })
    equal(code, 1)
    return stderr
  }
  const right = {
    dialect: 'plain-87-ascii',
    addresses: [{ host: 'h', port: 1 }],
    tls: 'none',
    timeZone: 'UTC',
    settings: {},
  }
  match(await sentenceOf({ ...right, addresses: [] }), /TOLLGATE_ACQUIRER_FILE: .* cannot be used\.\n +addresses/)
  match(
    await sentenceOf({ ...right, settings: { 4: '1' } }),
    /Field 4 is no setting of plain-87-ascii; these are 18, 32/,
  )
  match(await sentenceOf({ ...right, dialect: 'host-93' }), /host-93 has a mac/)
  match(await sentenceOf({ ...right, timeZone: 'Moon' }), /timeZone must be a name such as Europe\/London, not Moon/)
  match(await sentenceOf({ ...right, tls: { clientCert: 'a' } }), /tls.clientCert and tls.clientKey belong together/)
  match(await sentenceOf({ ...right, tls: { serverCa: 'a.pem' } }), /a\.pem, which cannot be read/)
}, 120_000)
