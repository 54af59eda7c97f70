// test/unit/terminals/nexo/settings.test.ts — the settings of nexo terminals: what is accepted, and what becomes of them.
import { deepEqual, equal, notDeepEqual, ok, rejects } from 'node:assert/strict'
import { describe, test } from 'vitest'
import { sealedSettings } from '../../../../src/services/provisioning/driver-settings.ts'
import { freshServiceId, paymentServiceId } from '../../../../src/terminals/nexo/service-ids.ts'
import { nexoMake, openSettings } from '../../../../src/terminals/nexo/settings.ts'
import { createMemoryVault } from '../../../support/memory-vault.ts'
import { SeededRandom } from '../../../support/seeded-random.ts'
import { aTerminal } from '../../../support/simulated-shop.ts'
import { TEST_CERT } from '../../../support/tls.ts'

const GIVEN = {
  ...{ poiId: 'V400m-123456789', host: '192.168.1.20', environment: 'test' },
  ...{ keyIdentifier: 'shop', keyVersion: 2, passphrase: 'Tollgate-Nexo-Test-1' },
  rootCertificate: TEST_CERT.toString(),
}

const IN_CLOUD = {
  ...{ transport: 'cloud', poiId: 'V400m-123456789', environment: 'test' },
  ...{ merchantAccount: 'HarbourCafe', apiKey: 'AQEyhmfxLI3MaBFLw0m' },
}

async function sealed(given: object, mode: 'live' | 'sandbox' = 'sandbox') {
  const vault = createMemoryVault()
  const outcome = await sealedSettings(vault, nexoMake(mode), { account: 'demo', tid: '1' }, { ...given })
  return { vault, outcome, field: 'refused' in outcome ? outcome.refused.field : null }
}

async function opened(given: object, mode: 'live' | 'sandbox' = 'sandbox') {
  const { vault, outcome } = await sealed(given)
  if ('refused' in outcome) throw new Error(outcome.refused.field)
  const readFile = async (path: string) =>
    path === '/etc/root.pem' ? TEST_CERT.toString() : Promise.reject(new Error(`no ${path}`))
  return openSettings({ vault, mode, readFile }, { ...aTerminal('1'), ...outcome })
}

describe('settings', () => {
  test.each([
    ['a passphrase that is not ASCII', { passphrase: 'Tollgate-Nexö-Test-1' }, 'passphrase'],
    ['a short passphrase', { passphrase: 'short' }, 'passphrase'],
    ['an id that is none', { poiId: 'V400m' }, 'poiId'],
    ['an address with a path', { host: 'a/b' }, 'host'],
    ['an unknown environment', { environment: 'dev' }, 'environment'],
    ['no key', { keyVersion: undefined }, 'keyVersion'],
  ])('9: %s is refused', async (_, change, field) => {
    equal((await sealed(JSON.parse(JSON.stringify({ ...GIVEN, ...change })))).field, `driverSettings.${field}`)
  })

  test('a test terminal is refused in live mode, when it is added and when it is opened', async () => {
    equal((await sealed(GIVEN, 'live')).field, 'driverSettings.environment')
    equal((await sealed({ ...GIVEN, environment: 'live' }, 'live')).field, null)
    await rejects(opened(GIVEN, 'live'), /live mode refuses/)
  })

  test.each([
    ['no API key', { apiKey: undefined }, 'apiKey'],
    ['an address in the network', { host: '192.168.1.20' }, 'host'],
    ['an address of the API without TLS', { apiUrl: 'http://localhost' }, 'apiUrl'],
    ['an account with a path', { merchantAccount: '../x' }, 'merchantAccount'],
    ['an unknown region', { region: 'eu' }, 'region'],
    ['half a key', { keyVersion: 1 }, 'keyIdentifier'],
    ['an unknown transport', { transport: 'post' }, 'transport'],
  ])('of a cloud: %s is refused', async (_, change, field) => {
    equal((await sealed(JSON.parse(JSON.stringify({ ...IN_CLOUD, ...change })))).field, `driverSettings.${field}`)
  })

  test.each([
    [{}, 'device-api-test.adyen.com', 443],
    [{ region: 'au' }, 'device-api-test.adyen.com', 443],
    [{ environment: 'live' }, 'device-api-live.adyen.com', 443],
    [{ environment: 'live', region: 'apse' }, 'device-api-live-apse.adyen.com', 443],
    [{ apiUrl: 'https://localhost:8123' }, 'localhost', 8_123],
  ])('of a cloud: %j leads to %s:%i, trusts public roots and sends the API key', async (change, host, port) => {
    const { address, keys, transport, root } = await opened({ ...IN_CLOUD, ...change })
    const path = '/v1/merchants/HarbourCafe/devices/V400m-123456789/sync'
    const headers = { 'x-api-key': IN_CLOUD.apiKey }
    deepEqual(address, { host, port, path, headers, root: null, commonNames: null })
    deepEqual([keys, transport, root], [[], 'cloud', null])
  })

  test('of a cloud: payments go to the way of their answers, and one list is of the account', async () => {
    const pathsOf = async (change: object) => {
      const { address, paymentAddress, deviceList, isAsynchronous } = await opened({ ...IN_CLOUD, ...change })
      const paths = [address, paymentAddress, deviceList].map(each => each?.path.split('/').slice(4).join('/'))
      return [...paths, isAsynchronous]
    }
    const device = 'devices/V400m-123456789'
    deepEqual(await pathsOf({}), [`${device}/sync`, `${device}/sync`, 'connectedDevices', false])
    deepEqual(await pathsOf({ asynchronous: true }), [`${device}/sync`, `${device}/async`, 'connectedDevices', true])
    const { address, paymentAddress, deviceList } = await opened(GIVEN)
    deepEqual([paymentAddress, deviceList], [address, null])
  })
  test('of a cloud: the API key and a passphrase are kept in the vault', async () => {
    const key = { keyIdentifier: 'shop', keyVersion: 2, passphrase: 'Tollgate-Nexo-Test-1' }
    const { outcome } = await sealed({ ...IN_CLOUD, ...key })
    const text = JSON.stringify(outcome)
    ok(text.includes('HarbourCafe') && !text.includes(IN_CLOUD.apiKey) && !text.includes(key.passphrase))
    equal((await opened({ ...IN_CLOUD, ...key })).keys.length, 1)
  })

  test('they open with defaults, both names of the certificate and the key', async () => {
    const { poiId, saleId, transport, address, keys, manualCapture, root } = await opened(GIVEN)
    deepEqual(
      { poiId, saleId, transport, manualCapture, isPublished: root?.isPublished },
      {
        ...{ poiId: 'V400m-123456789', saleId: 'Tollgate-1', transport: 'local' },
        ...{ manualCapture: false, isPublished: false },
      },
    )
    deepEqual(
      [address.host, address.port, address.commonNames],
      [
        ...['192.168.1.20', 8_443],
        ['V400m-123456789.test.terminal.adyen.com', 'legacy-terminal-certificate.test.terminal.adyen.com'],
      ],
    )
    deepEqual(
      keys.map(({ version }) => version),
      [2],
    )
  })

  test('the previous key stays readable, and the root may be in a file', async () => {
    const previous = {
      previousKeyVersion: 1,
      previousPassphrase: 'Tollgate-Nexo-Test-0',
      rootCertificate: '/etc/root.pem',
    }
    const { keys, address } = await opened({ ...GIVEN, ...previous })
    deepEqual(
      keys.map(({ version }) => version),
      [2, 1],
    )
    equal(address.root, TEST_CERT.toString())
    await rejects(opened({ ...GIVEN, rootCertificate: '/none' }), /no \/none/)
    await rejects(opened({ ...GIVEN, rootCertificate: '-----BEGIN CERTIFICATE-----' }), /not a certificate/)
  })
})

test('63: the id of a payment never changes, others are new each time', () => {
  const id = paymentServiceId('demo', '1', 'r1')
  equal(paymentServiceId('demo', '1', 'r1'), id)
  equal(/^[0-9A-Z]{10}$/.test(id), true)
  notDeepEqual(paymentServiceId('demo', '1', 'r2'), id)
  notDeepEqual(paymentServiceId('demo', '2', 'r1'), id)
  const random = new SeededRandom(1)
  notDeepEqual(freshServiceId(random), freshServiceId(random))
})
