// test/support/longest-first.ts — sorts test files so that long ones start first.
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Projects of vitest.config.ts. The files of a project run together, because they share modules that a worker has loaded. */
const PROJECTS: readonly string[] = ['program', 'browser', 'gateway', 'postgres', 'unit']

/** Files of ten seconds and more. A fresh machine has no durations from earlier runs, and sizes are no good estimate. */
export const LONG_FILES: readonly string[] = [
  'test/crash/crash.test.ts',
  'test/crash/online.test.ts',
  'test/crash/hostile.test.ts',
  'test/install/install.test.ts',
  'test/browser/network.test.ts',
  'test/browser/pages.test.ts',
  'test/browser/three-d-secure.test.ts',
  'test/simulation/soak.test.ts',
  'test/simulation/tables.test.ts',
  'test/simulation/online.test.ts',
]

/** Within a project: the long files first, then vitest's order, by duration or size. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return inOrder(await super.sort(files))
  }
}

/** The fields that the order depends on. */
interface Listed {
  readonly moduleId: string
  readonly project: { readonly name: string }
}

export function inOrder<File extends Listed>(files: readonly File[]): File[] {
  return files.toSorted((one, other) => projectRank(one) - projectRank(other) || lengthRank(one) - lengthRank(other))
}

function projectRank({ project }: Listed): number {
  return rank(PROJECTS.indexOf(project.name))
}

function lengthRank({ moduleId }: Listed): number {
  return rank(LONG_FILES.findIndex(name => moduleId.endsWith(`/${name}`)))
}

/** Items outside a list come after it. */
function rank(index: number): number {
  return index === -1 ? Number.MAX_SAFE_INTEGER : index
}
