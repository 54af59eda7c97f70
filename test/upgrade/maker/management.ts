// test/upgrade/maker/management.ts — creates and changes accounts, keys and terminals, by command line and over HTTP.
import { generateKeyPairSync } from 'node:crypto'
import { type Caller, callerOf, type GatewayProcess, type Json, runCommand } from './gateway.ts'

const publicKey = () =>
  generateKeyPairSync('rsa', { modulusLength: 2_048 }).publicKey.export({ type: 'spki', format: 'pem' }).toString()

/** Opens an account with all settings, and one that is closed again. Returns the first. */
export async function playManagement(gateway: GatewayProcess, directory: string): Promise<Caller> {
  const command = (...args: readonly string[]) => runCommand(directory, args)
  const made = await command(
    ...['accounts', 'create', 'harbour', '--name', 'Harbour Café', '--currency', 'GBP'],
    ...['--address', '3 Quay', '--merchant-number', '31249873', '--merchant-host', 'shop.harbour.example'],
  )
  await command('accounts', 'settings', 'harbour', '--default-version', 'v1')
  await command(
    ...['accounts', 'settings', 'harbour', '--merchant-host', 'shop.harbour.example'],
    ...['--merchant-host', 'www.harbour.example'],
  )
  await command('keys', 'create', 'harbour', '--label', 'till 2')
  const { keys } = await command('keys', 'list', 'harbour')
  const second = (keys as readonly Json[]).find(({ label }) => label === 'till 2')
  await command('keys', 'revoke', 'harbour', String(second?.['id']))
  for (const tid of ['VCMHARBSIP0', 'VCMHARBSIS0', 'VCMHARBDIP0', '33160001'])
    await command('terminals', 'add', 'harbour', tid)
  await command('terminals', 'settings', 'harbour', 'VCMHARBSIP0', '--gratuity', 'on', '--printing', 'off')
  await command('terminals', 'remove', 'harbour', 'VCMHARBDIP0')
  await command('accounts', 'create', 'closed', '--name', 'Closed Shop', '--currency', 'EUR')
  await command('terminals', 'add', 'closed', 'VCMCLOSSIP0')
  await command('accounts', 'revoke', 'closed')
  const harbour = callerOf(gateway, 'harbour', String(made['apiKey']))
  await harbour.ask('POST', '/api/jwt-keys', { publicKey: publicKey(), kid: 'shop-1', label: 'shop server' })
  const { json } = await harbour.ask('POST', '/api/jwt-keys', { publicKey: publicKey(), label: 'lost' })
  await harbour.ask('DELETE', `/api/jwt-keys/${json['id']}`)
  return harbour
}
