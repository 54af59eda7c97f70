// src/cli/doctor/card-data/command-inputs.ts — sends canaries through the inputs of commands: accounts, keys and terminals.

import { registerJwtKey } from '../../../services/provisioning/jwt-key-store.ts'
import { freshSettings } from '../../../services/provisioning/provisioning.ts'
import type { Canaries } from './canaries.ts'
import type { ProbeSandbox } from './probe-sandbox.ts'

/** Creates accounts, keys and terminals as the commands do. Returns all answers. */
export async function commandInputs({ gateway }: ProbeSandbox, canaries: Canaries): Promise<string> {
  const { provisioning, engine, store } = gateway
  const profile = {
    name: 'A',
    address: '',
    merchantNumber: '',
    currency: 'GBP',
    timeZone: 'UTC',
    public: false,
  } as const
  const results: unknown[] = []
  let made = 0
  const open = async (profileChanges: object, changes: object = {}) => {
    made += 1
    const order = { id: `canary-${made}`, keyLabel: 'first', terminals: [], ...changes }
    results.push(await provisioning.openAccount({ ...order, profile: { ...profile, ...profileChanges } }))
  }
  for (const name of ['name', 'address', 'merchantNumber'] as const)
    await open({ [name]: canaries.next(`accounts create --${name}`) })
  await open({ merchantHosts: [`${canaries.plain('accounts create --merchant-host')}.example`] })
  await open({}, { id: canaries.plain('accounts create <id>') })
  await open({}, { keyLabel: canaries.next('accounts create, label of its key') })
  await open({}, { terminals: [canaries.plain('accounts create, its terminal')] })
  results.push(await provisioning.createKey('demo', canaries.next('keys create --label')))
  const host = `${canaries.plain('accounts settings --merchant-host')}.example`
  results.push(await provisioning.setMerchantHosts('demo-eur', [host]))
  const tid = canaries.plain('terminals add <tid>')
  results.push(await provisioning.addTerminal({ account: 'demo', tid, settings: freshSettings('GBP') }))
  const parts = {
    engine,
    store,
    random: { uuid: () => crypto.randomUUID(), bytes: (count: number) => new Uint8Array(count) },
  }
  for (const name of ['kid', 'label'] as const) {
    const key = {
      publicKey: `canary key ${name}`,
      kid: null,
      label: '',
      [name]: canaries.next(`keys register --${name}`),
    }
    results.push(await registerJwtKey(parts, 'demo', key))
  }
  return JSON.stringify(results)
}
