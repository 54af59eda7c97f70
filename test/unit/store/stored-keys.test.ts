// test/unit/store/stored-keys.test.ts — keys are stored with their account, as version 0.1 stored them.
import { equal } from 'node:assert/strict'
import { test } from 'vitest'
import { apiKeyLockKey, keyIdKey, tableLockKey, terminalLockKey } from '../../../src/engine/machines.ts'
import { challengeKey, crossReferenceKey, paymentMethodKey } from '../../../src/engine/online-machine.ts'
import { storedKey } from '../../../src/store/stored-keys.ts'

test('the key of an account is stored as version 0.1 stored it', () => {
  equal(storedKey('demo', terminalLockKey('22160001')), 'terminal:demo/22160001')
  equal(storedKey('demo', tableLockKey('7: window')), 'table:demo/7: window')
  equal(storedKey('demo', crossReferenceKey('26')), 'cross-reference:demo/26')
  equal(storedKey('demo', paymentMethodKey('pm_1')), 'payment-method:demo/pm_1')
  equal(storedKey('demo', challengeKey('5f')), 'challenge:demo/5f')
})

test('a key that finds the account is stored without it', () => {
  equal(storedKey('demo', apiKeyLockKey('5f')), 'api-key:5f')
  equal(storedKey('demo', keyIdKey('5f')), 'api-key-id:5f')
})
