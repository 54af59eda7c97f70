// test/unit/support/summary-reporter.test.ts — the last line of a test run.
import { equal } from 'node:assert/strict'
import { test } from 'vitest'
import { type ModuleResult, summaryOf } from '../../support/summary-reporter.ts'

function moduleOf(state: string, ...tests: string[]): ModuleResult {
  return { state: () => state, children: { allTests: () => tests.map(each => ({ result: () => ({ state: each }) })) } }
}

test('tests are counted by result, over all files', () => {
  const modules = [moduleOf('passed', 'passed', 'passed'), moduleOf('failed', 'passed', 'failed')]
  equal(summaryOf(modules, 0), '3 passed, 1 failed')
})

test('skipped tests are listed if there are any, with tests that never ended', () => {
  equal(summaryOf([moduleOf('passed', 'passed', 'skipped', 'pending')], 0), '1 passed, 0 failed, 2 skipped')
})

test('a file that did not load and an unhandled error each count as a failure', () => {
  equal(summaryOf([moduleOf('failed')], 0), '0 passed, 1 failed')
  equal(summaryOf([moduleOf('passed', 'passed')], 2), '1 passed, 2 failed')
  equal(summaryOf([moduleOf('failed', 'passed')], 0), '1 passed, 1 failed')
})
