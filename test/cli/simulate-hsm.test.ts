// test/cli/simulate-hsm.test.ts — runs the contract of payment keys over TCP and TLS, with the stand-in for a security module.
import { deepEqual, equal, match } from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { HostTls } from '../../src/engine/ports/socket-opener.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { createHsmKeys } from '../../src/platform/payment-keys/hsm-keys.ts'
import { createSocketOpener } from '../../src/platform/socket-opener.ts'
import { exercisePaymentKeys, TEST_KEYS } from '../contract/payment-keys.suite.ts'
import { keepingLog } from '../support/silent-log.ts'
import { TEST_CERT, TEST_KEY } from '../support/tls.ts'
import { begin, emptyDirectory, run } from './tollgate.ts'

function keyFile(): string {
  const file = join(emptyDirectory(), 'keys.json')
  writeFileSync(file, JSON.stringify({ keys: TEST_KEYS.map(({ hex, ...key }) => ({ ...key, key: hex })) }))
  return file
}

async function module(args: readonly string[] = []) {
  const running = begin(['simulate', 'hsm', '--keys', keyFile(), ...args])
  const [, port = ''] = await running.printed(/port (\d+)\.\n/)
  return { running, port: Number(port) }
}

function keysAt(port: number, tls: HostTls | null = null) {
  const [clock, log] = [systemClock(), keepingLog()]
  const opener = createSocketOpener({ clock })
  return { log, keys: createHsmKeys({ address: { host: '127.0.0.1', port }, tls, opener, clock, log }) }
}

async function under(args: readonly string[], tls: HostTls | null) {
  const { running, port } = await module(args)
  const { keys } = keysAt(port, tls)
  return {
    keys,
    async close() {
      keys.close()
      running.child.kill('SIGTERM')
      await running.ended
    },
  }
}

exercisePaymentKeys('in a security module', () => under([], null))

exercisePaymentKeys('in a security module, over TLS with certificates of both sides', () => {
  const folder = emptyDirectory()
  const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')]
  writeFileSync(cert, TEST_CERT)
  writeFileSync(key, TEST_KEY)
  const pem = TEST_CERT.toString()
  const tls = { authorities: pem, serverName: 'localhost', certificate: pem, privateKey: TEST_KEY.toString() }
  return under(['--tls-cert', cert, '--tls-key', key, '--tls-ca', cert], tls)
})

const CODE = { key: 'host-mac', algorithm: 'retail', padding: 'zeros', bytes: 8, message: Buffer.from('0800') } as const

test('a module that is gone is unreachable, and is used again when it is back', async () => {
  const first = await module()
  const { keys } = keysAt(first.port)
  const made = await keys.mac(CODE)
  first.running.child.kill('SIGKILL')
  await first.running.ended
  await expect.poll(() => keys.mac(CODE), { timeout: 20_000 }).toEqual({ refused: 'unreachable' })
  await module(['--port', String(first.port)])
  deepEqual(await keys.mac(CODE), made)
  keys.close()
})

test('a module that says something else is unreachable, and the log says so without its words', async () => {
  const server = createServer(socket => {
    socket.on('data', () => socket.write('garbage\n{"id":1,"mac":"4012345678909"}\n'))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const { keys, log } = keysAt(typeof address === 'object' && address !== null ? address.port : 0)
  deepEqual(await keys.mac(CODE), { refused: 'unreachable' })
  deepEqual(
    log.lines.map(({ message }) => message),
    ['security module answers in a wrong form'],
  )
  equal(JSON.stringify(log.lines).includes('4012345678909'), false)
  keys.close()
  server.close()
})

test('keys that are no keys are refused without being repeated', async () => {
  const file = join(emptyDirectory(), 'keys.json')
  writeFileSync(file, '0123456789ABCDEF')
  const { code, stderr } = await run(['simulate', 'hsm', '--keys', file])
  equal(code, 2)
  match(stderr, /It must hold JSON\./)
  equal(stderr.includes('0123456789ABCDEF'), false)
  writeFileSync(file, '{"keys":[{"name":"a","use":"mac","algorithm":"tdes","key":"01"}]}')
  match((await run(['simulate', 'hsm', '--keys', file])).stderr, /cannot start: The file must hold \{"keys"/)
})
