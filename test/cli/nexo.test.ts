// test/cli/nexo.test.ts — a nexo terminal from the command line: added, checked, and paid at by a gateway that is killed.
import { deepEqual, equal, match } from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, test } from 'vitest'
import type { Terminal } from '../../src/domain/accounts/terminal.ts'
import { encryptedByLibrary } from '../../src/peers/nexo-terminal/encryption.ts'
import { NEXO_KEY, type NexoPeer, startNexoPeer } from '../support/nexo-peer.ts'
import { OTHER_CERT } from '../support/tls.ts'
import { call, emptyDirectory, run, runJson, serving, startSale } from './tollgate.ts'

let peer: NexoPeer
beforeAll(async () => {
  peer = await startNexoPeer()
})
afterAll(() => peer.close())

const TID = '22169001'

/** Writes the settings of a terminal into a file. */
function settingsFile(directory: string, { driverSettings }: Terminal, changes: object = {}): string {
  const file = join(directory, 'terminal.json')
  writeFileSync(file, JSON.stringify({ ...driverSettings, passphrase: NEXO_KEY.passphrase, ...changes }))
  return file
}

/** A data directory whose demo account has the terminal. */
async function withTerminal(terminal: Terminal): Promise<string> {
  const data = emptyDirectory()
  await (await serving(data)).stop()
  const file = settingsFile(data, terminal)
  await runJson(['terminals', 'add', 'demo', TID, '--driver', 'nexo', '--driver-settings', file, '--data', data])
  return data
}

test('a terminal is added and checked; a wrong key, a wrong root and a dead address are each named', async () => {
  const terminal = await peer.make(TID)
  const data = await withTerminal(terminal)
  const check = ['terminals', 'check', 'demo', TID, '--data', data]
  const { facts, problems } = await runJson<{ facts: Record<string, string>; problems: string[] }>(check)
  deepEqual(
    [facts['terminal'], facts['key'], facts['state'], facts['software'], problems],
    [...[terminal.driverSettings?.['poiId'], 'accepted', 'OK', 'Scripted', []]],
  )
  const checked = async (changes: object) => {
    const file = settingsFile(data, terminal, changes)
    await runJson(['terminals', 'settings', 'demo', TID, '--driver-settings', file, '--data', data])
    const { code, stdout, stderr } = await run(check)
    equal(code, 1)
    equal((stdout + stderr).includes(NEXO_KEY.passphrase), false)
    return stderr
  }
  match(await checked({ passphrase: 'Some-Other-Key-99' }), /refuses the key \(Nexo Service: crypto error \(3\)\)/)
  match(await checked({ rootCertificate: OTHER_CERT.toString() }), /does not lead to the root/)
  match(await checked({ poiId: 'V400m-999999999' }), /issued to V400m-\d+\.test\.terminal\.adyen\.com \(SHA-256 /)
  match(await checked({ port: 1 }), /cannot be reached \(ECONNREFUSED\)/)
  const { stderr } = await run(['terminals', 'check', 'demo', 'VCMDEMOSIP0', '--data', data])
  match(stderr, /has the driver simulated; only nexo can check/)
}, 120_000)

test('what the terminal posts while a payment runs is a notification of the till, if its password is right', async () => {
  const terminal = await peer.make(TID)
  await peer.script(terminal, { payments: ['wait'] })
  const posting = { notificationUser: 'shop', notificationPassword: 'posted-By-The-Terminal-1' }
  const data = await withTerminal({
    ...terminal,
    driverSettings: { ...terminal.driverSettings, ...posting },
  } as Terminal)
  const gateway = await serving(data)
  const { url } = gateway.summary
  const location = await startSale(url, TID)
  const payments = async () => (await peer.received(terminal)).filter(({ category }) => category === 'Payment')
  while ((await payments()).length === 0) await gateway.printed(/./)
  const [{ serviceId } = { serviceId: '' }] = await payments()
  const header = { ServiceID: serviceId, SaleID: `Tollgate-${TID}`, POIID: terminal.driverSettings?.['poiId'] }
  const content = { OutputFormat: 'MessageRef', PredefinedContent: { ReferenceID: 'event=CARD_INSERTED' } }
  const body = encryptedByLibrary(
    {
      SaleToPOIRequest: {
        MessageHeader: { ...header, MessageClass: 'Device', MessageCategory: 'Display', MessageType: 'Request' },
        DisplayRequest: { DisplayOutput: [{ OutputContent: content }] },
      },
    },
    NEXO_KEY,
  )
  const post = (password: string, at = `demo/${TID}`) =>
    fetch(`${url}/terminals/${at}/notifications`, {
      method: 'POST',
      headers: {
        authorization: `Basic ${Buffer.from(`shop:${password}`).toString('base64')}`,
        'content-type': 'application/json',
      },
      body,
    })
  const refused = async (...given: Parameters<typeof post>) => {
    const answer = await post(...given)
    const { requestId: _own, ...body } = (await answer.json()) as { readonly requestId: string }
    return [answer.status, body, answer.headers.get('www-authenticate'), [...answer.headers.keys()].sort()]
  }
  const wrong = await refused('another')
  equal(wrong[0], 401)
  for (const nobody of ['demo/22169999', 'demo/VCMDEMOSIP0', 'nobody/22169001'])
    deepEqual(await refused(posting.notificationPassword, nobody), wrong, nobody)
  const taken = await post(posting.notificationPassword)
  deepEqual([taken.status, await taken.text()], [200, '[accepted]'])
  const { notifications } = (await (await call(location)).json()) as { readonly notifications: readonly string[] }
  // Newest first.
  deepEqual(notifications, ['PLEASE_WAIT', 'TRANSACTION_STARTED'])
  await gateway.stop()
}, 120_000)

test('a gateway that is killed during a payment finds out at its next start that it was taken', async () => {
  const terminal = await peer.make(TID)
  await peer.script(terminal, { payments: ['wait'] })
  const data = await withTerminal(terminal)
  const gateway = await serving(data)
  const location = await startSale(gateway.summary.url, TID)
  const payments = async () => (await peer.received(terminal)).filter(({ category }) => category === 'Payment')
  while ((await payments()).length === 0) await gateway.printed(/./)
  gateway.child.kill('SIGKILL')
  await gateway.ended
  await peer.finish(terminal, { Result: 'Success' })
  const next = await serving(data)
  let result: unknown = null
  while (result === null) {
    const answer = await call(new URL(new URL(location, next.summary.url).pathname, next.summary.url).href)
    result = ((await answer.json()) as { readonly transactionResult: unknown }).transactionResult
  }
  equal(result, 'SUCCESSFUL')
  equal((await payments()).length, 1)
  await next.stop()
}, 120_000)
