// test/api/driver-settings.test.ts — driver settings of a terminal: validation, storage, sealed secrets.
import { deepEqual, equal, ok } from 'node:assert/strict'
import { Type } from 'typebox'
import { test } from 'vitest'
import type { Terminal } from '../../src/domain/accounts/terminal.ts'
import type { Refusal } from '../../src/domain/refusals.ts'
import { openDriverSettings } from '../../src/engine/driver-settings.ts'
import type { TerminalDriver } from '../../src/engine/ports/terminal.ts'
import { systemRandom } from '../../src/platform/random.ts'
import { fixedRing } from '../../src/platform/vault/key-ring.ts'
import { openVault } from '../../src/platform/vault/vault.ts'
import { freshSettings } from '../../src/services/provisioning/provisioning.ts'
import { openShop } from '../support/shop.ts'

const SCHEMA = Type.Object({
  host: Type.String({ minLength: 1 }),
  port: Type.Optional(Type.Integer({ minimum: 1 })),
  passphrase: Type.String({ minLength: 8, writeOnly: true }),
})
const TID = '22169999'
const GIVEN = { host: 'pos.example', port: 8443, passphrase: 'correct horse' }

async function openSettingsShop() {
  const done = async () => {}
  const driver: TerminalDriver = {
    ...{ name: 'other', settings: SCHEMA, authorisedBy: 'terminal', presence: () => ({ paperOut: false }) },
    ...{ start: done, cancel: done, answerSignature: done, answerAuthorisation: done, runReport: done },
    ...{ listen: done, close: done, lastTransaction: async () => ({ state: 'running' }) },
  }
  const random = systemRandom()
  const ring = fixedRing([random.bytes(32)])
  const shop = await openShop({ drivers: [driver], vault: (store, clock) => openVault({ store, clock, random, ring }) })
  const { provisioning } = shop.gateway
  const add = (given?: object, name = 'other') =>
    provisioning.addTerminal({
      ...{ account: 'demo', tid: TID, driver: name, settings: freshSettings('GBP') },
      ...(given === undefined ? {} : { driverSettings: { ...given } }),
    })
  return { shop, provisioning, add }
}

function madeOf(made: { readonly record: Terminal } | { readonly refused: Refusal }): Terminal {
  if ('refused' in made) throw new Error(`refused: ${made.refused.code} ${made.refused.field}`)
  return made.record
}

/** Code and field of a refusal. */
function refusedIn(
  made: { readonly record: Terminal } | { readonly refused: Refusal },
): readonly (string | undefined)[] {
  return 'refused' in made ? [made.refused.code, made.refused.field] : []
}

test('settings are stored with the terminal, secrets in the vault only', async () => {
  const { shop, add } = await openSettingsShop()
  const terminal = madeOf(await add(GIVEN))
  const { host, port, passphrase } = terminal.driverSettings ?? {}
  deepEqual([host, port, typeof passphrase], ['pos.example', 8443, 'object'])
  deepEqual(await openDriverSettings(shop.vault, terminal), GIVEN)
  const image = JSON.stringify(await shop.images.imageOf('demo', []))
  deepEqual([image.includes('pos.example'), image.includes('correct horse')], [true, false])
  for (const path of ['/api/events', '/api/terminals']) {
    const { status, text } = await shop.till.ask('GET', path)
    deepEqual([status, text.includes(TID), text.includes('correct horse')], [200, true, false])
  }
})

for (const [what, given, field] of [
  ['none at all', undefined, 'driverSettings.host'],
  ['one of the wrong kind', { ...GIVEN, port: '8443' }, 'driverSettings.port'],
  ['a secret that is too short', { ...GIVEN, passphrase: 'short' }, 'driverSettings.passphrase'],
  ['a secret that is missing', { host: 'pos.example' }, 'driverSettings.passphrase'],
  ['a name that is misspelt', { ...GIVEN, passPhrase: 'correct horse' }, 'driverSettings.passPhrase'],
] as const)
  test(`settings that do not match the schema are refused: ${what}`, async () => {
    const { add, shop } = await openSettingsShop()
    deepEqual(refusedIn(await add(given)), ['field_invalid', field])
    equal((await shop.vault.entries('driver-secret', 0, 10)).length, 0)
  })

test('a driver without a settings schema accepts no settings', async () => {
  const { add } = await openSettingsShop()
  deepEqual(refusedIn(await add(GIVEN, 'simulated')), ['field_invalid', 'driverSettings.host'])
  equal(madeOf(await add(undefined, 'simulated')).driverSettings, undefined)
})

test('new settings replace all old ones, and old secrets are deleted', async () => {
  const { shop, provisioning, add } = await openSettingsShop()
  const before = madeOf(await add(GIVEN))
  const printing = madeOf(await provisioning.configureTerminal('demo', TID, { printing: false }))
  deepEqual(printing.driverSettings, before.driverSettings)
  const wrong = await provisioning.configureTerminal('demo', TID, {}, { host: 'pos2.example' })
  deepEqual(refusedIn(wrong), ['field_invalid', 'driverSettings.passphrase'])
  const changed = { host: 'pos2.example', passphrase: 'battery staple' }
  const after = madeOf(await provisioning.configureTerminal('demo', TID, {}, changed))
  deepEqual(await openDriverSettings(shop.vault, after), changed)
  for (let day = 0; day < 3; day += 1) await shop.clock.advance(86_400_000)
  deepEqual(
    (await shop.vault.entries('driver-secret', 0, 10)).map(({ reference }) => ({ vault: reference })),
    [after.driverSettings?.['passphrase']],
  )
  ok('record' in (await provisioning.removeTerminal('demo', TID)))
  for (let day = 0; day < 2; day += 1) await shop.clock.advance(86_400_000)
  equal((await shop.vault.entries('driver-secret', 0, 10)).length, 0)
})
