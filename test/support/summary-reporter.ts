// test/support/summary-reporter.ts — closes a test run with one plain line: `12 passed, 0 failed, 1 skipped`.
import type { Reporter, TestModule } from 'vitest/node'

/** Stands last among the reporters, so that its line ends the output. */
export class SummaryReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly unknown[]): void {
    process.stdout.write(`${summaryOf(modules, unhandled.length)}\n`)
  }
}

/** What the summary reads of a module. */
export interface ModuleResult {
  state(): string
  readonly children: { allTests(): Iterable<{ result(): { readonly state: string } }> }
}

/**
 * Counts tests by how they ended. What fails outside a test counts as one failed test too: a file that cannot be
 * loaded, a suite whose hooks fail, an error that nobody caught.
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

/** A test that never got an end (`pending`) did not run. */
function bucketOf(state: string): 'passed' | 'failed' | 'skipped' {
  return state === 'passed' || state === 'failed' ? state : 'skipped'
}
