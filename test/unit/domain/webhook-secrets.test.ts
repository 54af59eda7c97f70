// test/unit/domain/webhook-secrets.test.ts — rotation and deletion of webhook secrets.
import { deepEqual, equal, notEqual, ok, throws } from 'node:assert/strict'
import { test } from 'vitest'
import type { Vault } from '../../../src/engine/ports/vault.ts'
import { createMemoryVault } from '../../support/memory-vault.ts'
import { openOutbox } from '../../support/webhook-outbox.ts'
import { UNSIGNED, verify } from '../../support/webhook-signature.ts'

test('after a rotation messages are signed with both secrets for a day, then with the new one only', async () => {
  const { announce, clock, sent, webhooks } = await openOutbox()
  await announce('p1')
  await clock.advance(0)
  const old = (await webhooks.secrets.of('demo')).current
  const rotated = await webhooks.secrets.rotate('demo', 86_400_000)
  ok('current' in rotated)
  const fresh = rotated.current
  notEqual(fresh, old)
  await announce('p2')
  await clock.advance(86_399_999)
  await announce('p3')
  await clock.advance(0)
  for (const { message } of sent.slice(1)) {
    verify(old, message)
    verify(fresh, message)
  }
  verify(old, sent[0]!.message)
  await clock.advance(1)
  await announce('p4')
  await clock.advance(0)
  verify(fresh, sent[3]!.message)
  throws(() => verify(old, sent[3]!.message), UNSIGNED)
  deepEqual((await webhooks.secrets.of('demo')).previous, [])
})

test('an expired secret is deleted from the vault, and too many rotations are refused', async () => {
  const memory = createMemoryVault()
  const kept: string[] = []
  const vault: Vault = {
    ...memory,
    async storeText(...secret) {
      const reference = await memory.storeText(...secret)
      kept.push(reference)
      return reference
    },
  }
  const secretsInVault = async () =>
    (await Promise.all(kept.map(reference => vault.openText('demo', 'webhook-secret', reference)))).filter(
      secret => secret !== null,
    )
  const { clock, store, webhooks } = await openOutbox({ vault })
  for (let count = 0; count < 4; count += 1) ok('current' in (await webhooks.secrets.rotate('demo', 3_600_000)))
  deepEqual(await webhooks.secrets.rotate('demo', 3_600_000), { refused: { code: 'too_many_secrets' } })
  equal((await webhooks.secrets.of('demo')).previous.length, 4)
  equal((await secretsInVault()).length, 5)
  await clock.advance(3_600_000)
  const { current, previous } = await webhooks.secrets.of('demo')
  deepEqual([previous, await secretsInVault()], [[], [current]])
  equal((await store.undoneEffects(9)).length, 0)
})

test('two simultaneous first reads of a secret get the same one', async () => {
  const { webhooks } = await openOutbox()
  const [one, other] = await Promise.all([webhooks.secrets.of('demo'), webhooks.secrets.of('demo')])
  deepEqual(one, other)
})
