// test/import-rules.test.ts — the import rules of `npm run lint` find each violation, in projects made for this test.
import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onTestFinished, test } from 'vitest'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const RULES = createRequire(import.meta.url)('../.dependency-cruiser.cjs') as {
  readonly forbidden: readonly { readonly name: string }[]
}

type Files = Readonly<Record<string, string>>

const PACKAGES: Files = {
  'package.json': JSON.stringify({ dependencies: { shipped: '1.0.0' }, devDependencies: { bundled: '1.0.0' } }),
  ...Object.fromEntries(
    ['shipped', 'bundled', 'unlisted'].flatMap(name => [
      [`node_modules/${name}/package.json`, JSON.stringify({ name, version: '1.0.0', main: 'index.js' })],
      [`node_modules/${name}/index.js`, 'module.exports = {}'],
    ]),
  ),
}

/** Permitted imports of each part. */
const KEPT: Files = {
  'src/domain/money.ts': "import assert from 'node:assert/strict'\nassert(1)\nexport const a = 1",
  'src/engine/engine.ts':
    "import { a } from '../domain/money.ts'\nimport { b } from './ports/store.ts'\nexport { a, b }",
  'src/engine/ports/store.ts': "import type { a } from '../../domain/money.ts'\nexport const b: typeof a = 1",
  'src/api/http.ts': "import shipped from 'shipped'\nimport { a } from '../engine/engine.ts'\nexport { a, shipped }",
  'src/services/counter.ts': "export { a } from '../engine/engine.ts'",
  'src/api/till.ts': "export { a } from '../services/counter.ts'",
  'src/store/memory.ts': "// import { a } from '../api/http.ts'\nexport * from '../engine/ports/store.ts'",
  'src/platform/log.ts': "import { readFileSync } from 'node:fs'\nexport const log = readFileSync",
  'src/terminals/fleet.ts':
    "import bundled from 'bundled'\nimport type unlisted from 'unlisted'\nexport type A = typeof bundled | typeof unlisted",
  'src/acquirers/routing.ts': "export { a } from '../engine/engine.ts'",
  'src/simulator/recorder.ts': "import { a } from '../api/http.ts'\nexport const recorder = a",
  'src/demo-shop/shop.ts': "import { a } from '../api/http.ts'\nexport const shop = a",
  'src/console/page.ts': "export { a } from '../api/http.ts'",
  'src/simulator/scenarios/words.ts': 'export const words = 1',
  'src/peers/acquirer-host/host.ts': "export { words } from '../../simulator/scenarios/words.ts'",
  'src/cli/simulate.ts': "import '../peers/acquirer-host/host.ts'",
  'test/peer/host/host.ts': "export { a } from '../../support/library.ts'",
  'test/peer/host.test.ts': "import '../../src/main.ts'\nimport './host/host.ts'",
  'test/support/library.ts': "import bundled from 'bundled'\nexport const a = bundled",
  'test/support/codec.ts': "export { a } from '../../src/domain/money.ts'",
  'src/config/rules.ts': 'export const rules = 1',
  'src/config.ts': "export { rules } from './config/rules.ts'",
  'src/wire.ts': "import './config.ts'\nimport './platform/log.ts'\nimport './simulator/recorder.ts'",
  'src/cli/serve.ts': "import '../wire.ts'\nimport '../store/memory.ts'",
  'src/main.ts': "import './cli/serve.ts'",
  'web/protocol.ts': 'export const web = 1',
  'web/client/client.ts': "export { web } from '../protocol.ts'\nexport { a } from '../../src/domain/money.ts'",
}

/** A broken rule and the target. A rule about what can be reached has none: the way there may be long. */
type Broken = readonly [rule: string, to?: string]

/** A file with violations. */
const BROKEN: readonly (readonly [path: string, text: string, ...broken: readonly Broken[]])[] = [
  ['src/domain/a.ts', "import { a } from '../engine/engine.ts'", ['domain-knows-nobody', 'src/engine/engine.ts']],
  ['src/domain/b.ts', "import { readFileSync } from 'node:fs'", ['domain-knows-nobody', 'fs']],
  ['src/domain/c.ts', "import shipped from 'shipped'", ['domain-knows-nobody', 'node_modules/shipped/index.js']],
  ['src/engine/a.ts', "import type { A } from '../platform/log.ts'", ['engine-knows-domain', 'src/platform/log.ts']],
  ['src/services/a.ts', "import '../api/http.ts'", ['services-knows-the-inside', 'src/api/http.ts']],
  ['src/api/a.ts', "import { a } from '../store/memory.ts'", ['api-knows-the-inside', 'src/store/memory.ts']],
  ['src/api/b.ts', "export * from '../terminals/fleet.ts'", ['api-knows-the-inside', 'src/terminals/fleet.ts']],
  ['src/api/c.ts', "import '../simulator/recorder.ts'", ['api-knows-the-inside', 'src/simulator/recorder.ts']],
  [
    'src/api/d.ts',
    "import type { A } from '../config.ts'",
    ['api-knows-the-inside', 'src/config.ts'],
    ['nobody-knows-the-root', 'src/config.ts'],
  ],
  [
    'src/api/e.ts',
    "import { wire } from '../wire.ts'",
    ['api-knows-the-inside', 'src/wire.ts'],
    ['nobody-knows-the-root', 'src/wire.ts'],
  ],
  ['src/store/a.ts', "const { a } = await import('../api/http.ts')", ['store-knows-the-inside', 'src/api/http.ts']],
  ['src/store/b.ts', "type A = import('../api/http.ts').A", ['store-knows-the-inside', 'src/api/http.ts']],
  [
    'src/store/c.ts',
    "import {\n  a,\n  b,\n} from '../acquirers/routing.ts'",
    ['store-knows-the-inside', 'src/acquirers/routing.ts'],
  ],
  ['src/terminals/a.ts', "import '../platform/log.ts'", ['terminals-knows-the-inside', 'src/platform/log.ts']],
  ['src/wallets/a.ts', "import '../platform/log.ts'", ['wallets-knows-the-inside', 'src/platform/log.ts']],
  [
    'src/three-d-secure/a.ts',
    "import '../platform/log.ts'",
    ['three-d-secure-knows-the-inside', 'src/platform/log.ts'],
  ],
  ['src/acquirers/a.ts', "import '../platform/log.ts'", ['acquirers-knows-the-inside', 'src/platform/log.ts']],
  ['src/platform/a.ts', "import '../api/http.ts'", ['platform-knows-the-inside', 'src/api/http.ts']],
  ['src/simulator/a.ts', "import '../store/memory.ts'", ['simulator-knows-the-inside', 'src/store/memory.ts']],
  [
    'src/demo-shop/a.ts',
    "import '../simulator/recorder.ts'",
    ['demo-shop-knows-the-inside', 'src/simulator/recorder.ts'],
  ],
  ['src/console/a.ts', "import '../services/counter.ts'", ['console-knows-the-inside', 'src/services/counter.ts']],
  ['src/config/a.ts', "import type { B } from '../engine/engine.ts'", ['config-knows-itself', 'src/engine/engine.ts']],
  ['src/peers/a.ts', "import '../acquirers/routing.ts'", ['peers-know-nobody', 'src/acquirers/routing.ts']],
  ['src/peers/b.ts', "import '../simulator/recorder.ts'", ['peers-know-nobody', 'src/simulator/recorder.ts']],
  [
    'src/acquirers/b.ts',
    "import { words } from '../peers/acquirer-host/host.ts'",
    ['acquirers-knows-the-inside', 'src/peers/acquirer-host/host.ts'],
    ['only-commands-know-peers', 'src/peers/acquirer-host/host.ts'],
  ],
  ['test/peer/host/a.ts', "import '../../../src/domain/money.ts'", ['peers-of-tests-know-nobody']],
  ['test/peer/host/b.ts', "import type { a } from '../../support/codec.ts'", ['peers-of-tests-know-nobody']],
  ['src/tools/a.ts', "import { a } from '../domain/money.ts'", ['no-strangers', 'src/domain/money.ts']],
  ['src/api/f.ts', "import { web } from '../../web/protocol.ts'", ['nobody-knows-the-web', 'web/protocol.ts']],
  ['web/a.ts', "import { a } from '../src/engine/engine.ts'", ['web-knows-the-rules', 'src/engine/engine.ts']],
  ['src/engine/b.ts', "import './gone.ts'", ['nothing-unresolved', './gone.ts']],
  ['src/api/g.ts', "import unlisted from 'unlisted'", ['only-listed-packages', 'node_modules/unlisted/index.js']],
  ['web/b.ts', "import unlisted from 'unlisted'", ['only-listed-packages', 'node_modules/unlisted/index.js']],
  ['src/engine/c.ts', "import './d.ts'", ['no-cycles', 'src/engine/d.ts']],
  ['src/engine/d.ts', "import './c.ts'", ['no-cycles', 'src/engine/c.ts']],
]

/** Runs the check of `npm run lint` on a project with these files. */
function check(files: Files) {
  const project = mkdtempSync(join(tmpdir(), 'tollgate-imports-'))
  onTestFinished(() => rmSync(project, { recursive: true, force: true }))
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(project, path)), { recursive: true })
    writeFileSync(join(project, path), text)
  }
  copyFileSync(join(ROOT, 'tsconfig.json'), join(project, 'tsconfig.json'))
  const run = spawnSync(process.execPath, [join(ROOT, '.ci/boundaries.js')], {
    cwd: project,
    encoding: 'utf8',
    env: { ...process.env, NO_COLOR: '1' },
  })
  const found = [...run.stdout.matchAll(/^\s*error ([\w-]+): (\S+)(?: → \s*(\S+))?$/gm)].map(line => line.slice(1))
  return { ...run, found: found.map(namesIn).toSorted() }
}

function namesIn(parts: readonly (string | undefined)[]): string {
  return parts.filter(part => part !== undefined).join(' ')
}

test('each violation is found, and nothing else', () => {
  const { status, found, stdout } = check({
    ...PACKAGES,
    ...KEPT,
    ...Object.fromEntries(BROKEN.map(([path, text]) => [path, text])),
  })
  const expected = BROKEN.flatMap(([path, , ...broken]) => broken.map(([rule, to]) => namesIn([rule, path, to])))
  deepEqual(found, expected.toSorted(), stdout)
  ok((status ?? 0) > 0)
})

test('each rule has a violation in the samples', () => {
  const broken = new Set(BROKEN.flatMap(([, , ...rules]) => rules.map(([rule]) => rule)))
  deepEqual(
    RULES.forbidden.map(({ name }) => name).filter(name => !broken.has(name)),
    [],
  )
})

test('a project without violations passes', () => {
  const { status, found, stdout } = check({ ...PACKAGES, ...KEPT })
  deepEqual({ status, found }, { status: 0, found: [] }, stdout)
})

test('a check that has read no module of the program fails', () => {
  const { status, stderr } = check({ ...PACKAGES, 'src/empty.md': '', 'web/build.ts': 'export const web = 1' })
  equal(status, 1)
  match(stderr, /Only 0 modules were read under src/)
})
