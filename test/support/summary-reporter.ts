// test/support/summary-reporter.ts — ends a test run with one plain line: `12 passed, 0 failed, 1 skipped`.
import type { Reporter, TestModule } from 'vitest/node'

/** Must be the last reporter, so that its line ends the output. */
export class SummaryReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly unknown[]): void {
    process.stdout.write(`${summaryOf(modules, unhandled.length)}\n`)
  }
}

/** The fields of a module that the summary reads. */
export interface ModuleResult {
  state(): string
  readonly children: { allTests(): Iterable<{ result(): { readonly state: string } }> }
}

/**
 * Counts tests by result. A failure outside a test counts as a failed test: a file that cannot be loaded, a suite with a
 * failed hook, an uncaught error.
 */
export function summaryOf(modules: readonly ModuleResult[], unhandledErrors: number): string {
  const counts = { passed: 0, failed: unhandledErrors, skipped: 0 }
  for (const module of modules) {
    const states = [...module.children.allTests()].map(test => test.result().state)
    for (const state of states) counts[bucketOf(state)] += 1
    if (module.state() === 'failed' && !states.includes('failed')) counts.failed += 1
  }
  const skipped = counts.skipped === 0 ? '' : `, ${counts.skipped} skipped`
  return `${counts.passed} passed, ${counts.failed} failed${skipped}`
}

/** A test still `pending` at the end did not run. */
function bucketOf(state: string): 'passed' | 'failed' | 'skipped' {
  return state === 'passed' || state === 'failed' ? state : 'skipped'
}
