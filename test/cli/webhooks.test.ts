// test/cli/webhooks.test.ts — `tollgate webhooks`: a local receiver that shows and verifies what it receives.
import { deepEqual, equal, match } from 'node:assert/strict'
import { test } from 'vitest'
import { signedHeaders } from '../../src/services/webhooks/webhook-signature.ts'
import { begin, call, emptyDirectory, run, type Serving, serving } from './tollgate.ts'

const BODY = '{"id":"q7Jt0s3V","orderId":"A-1001"}'

async function receiverOf(args: readonly string[]) {
  const running = begin(['webhooks', 'listen', '--port', '0', '--json', ...args])
  const [line] = await running.printed(/^\{"url".*\}$/m)
  return { ...running, url: (JSON.parse(line) as { readonly url: string }).url }
}

function send(url: string, headers: Readonly<Record<string, string>>, body = BODY): Promise<Response> {
  return fetch(url, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body })
}

test.concurrent('a receiver reads the secret from the gateway, follows its rotation, and verifies signatures', async () => {
  const { summary } = await serving(emptyDirectory())
  const { secret } = (await (await call(`${summary.url}/api/webhook-secret`)).json()) as { readonly secret: string }
  const receiver = await receiverOf(['--url', summary.url])
  const message = { id: 'msg_1', body: BODY }
  const now = Date.now()
  equal((await send(receiver.url, signedHeaders(message, [secret], now))).status, 200)
  equal((await send(receiver.url, signedHeaders(message, [secret], now))).status, 200)
  equal((await send(receiver.url, signedHeaders(message, [secret], now), BODY.replace('A', 'B'))).status, 400)
  equal((await send(receiver.url, signedHeaders(message, [secret], now - 301_000))).status, 400)
  equal((await send(receiver.url, {})).status, 400)
  const rotated = await call(`${summary.url}/api/webhook-secret/rotate`, { method: 'POST', body: '{}' })
  const fresh = (await rotated.json()) as { readonly secret: string }
  equal((await send(receiver.url, signedHeaders({ id: 'msg_2', body: BODY }, [fresh.secret], now))).status, 200)
  await receiver.printed(/msg_2/)
  receiver.child.kill('SIGTERM')
  const { code, stdout } = await receiver.ended
  equal(code, 0)
  const seen = stdout
    .trim()
    .split('\n')
    .slice(1)
    .map(line => JSON.parse(line) as Record<string, unknown>)
  deepEqual(
    seen.map(each => [each['signature'], each['times'], each['answered']]),
    [
      ['right', 1, 200],
      ['right', 2, 200],
      ['wrong', 3, 400],
      ['too_old', 4, 400],
      ['missing', 1, 400],
      ['right', 1, 200],
    ],
  )
  match((await run(['webhooks', 'list', '--url', summary.url])).stdout, /^DELIVERY +ORDER +PROGRESS/)
  const none = await run(['webhooks', 'resend', 'msg_none', '--url', summary.url])
  deepEqual([none.code, none.stderr], [1, 'tollgate: The webhook delivery was not found.\n'])
})

/** Pays 19.99 by card, with a webhook to this address. */
async function payWithHook({ url, token: jwt }: Serving['summary'], webHookUrl: string): Promise<void> {
  const ask = (path: string, body: object) =>
    fetch(`${url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${jwt}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }).then(answer => answer.json() as Promise<Record<string, unknown>>)
  const order = { merchantUrl: 'shop.example', currencyCode: '826', amount: '1999', transactionType: 'SALE' }
  const { id } = await ask('/v1/access-tokens', { ...order, orderId: 'A-1001', webHookUrl })
  const card = { cardName: 'John Watson', cardNumber: '5200000000000056', expiryDate: '12 / 30', cV2: '341' }
  equal((await ask(`/api/payments/${id}`, card))['statusCode'], 0)
}

test.concurrent('a payment in a sandbox reaches a receiver on the same machine, with a valid signature', async () => {
  const { summary } = await serving(emptyDirectory())
  const receiver = await receiverOf(['--url', summary.url])
  await payWithHook(summary, receiver.url)
  const [line] = await receiver.printed(/^\{"id":"msg_.*\}$/m)
  const seen = JSON.parse(line) as Record<string, unknown>
  deepEqual([seen['orderId'], seen['signature'], seen['answered']], ['A-1001', 'right', 200])
})

test.concurrent('a gateway that does not call private addresses says so in the list of deliveries', async () => {
  const { summary, printed } = await serving(emptyDirectory(), { TOLLGATE_WEBHOOK_PRIVATE: 'refuse' })
  const receiver = await receiverOf(['--url', summary.url])
  await payWithHook(summary, receiver.url)
  await printed(/"webhook attempted"/)
  const answer = await call(`${summary.url}/api/webhooks`)
  const { deliveries } = (await answer.json()) as { readonly deliveries: readonly Record<string, unknown>[] }
  equal(deliveries[0]?.['progress'], 'waiting')
  match(JSON.stringify(deliveries[0]?.['attempts']), /127\.0\.0\.1 is no public address/)
  receiver.child.kill('SIGTERM')
  equal((await receiver.ended).stdout.trim().split('\n').length, 1)
})

test.concurrent('a receiver accepts options for its answer and its secret', async () => {
  const secret = 'whsec_MDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAw'
  const receiver = await receiverOf(['--secret', secret, '--answer', '503'])
  const headers = signedHeaders({ id: 'msg_1', body: BODY }, [secret], Date.now())
  equal((await send(receiver.url, headers)).status, 503)
  receiver.child.kill('SIGINT')
  equal((await receiver.ended).code, 0)
})
