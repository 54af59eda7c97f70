// test/support/tidy/imports.ts — the import sentence: imports point inward. Read with a parser of our own, so that it does
// not stand or fall with the one that lint uses.
import { posix } from 'node:path'
import { isSource, type Rule, type Source } from './source.ts'

const INSIDE = ['engine', 'domain']
/** Places in src, and whom each may know beside itself. */
const KNOWS: Readonly<Record<string, readonly string[]>> = {
  domain: [],
  engine: ['domain'],
  services: INSIDE,
  api: [...INSIDE, 'services'],
  store: INSIDE,
  platform: INSIDE,
  terminals: INSIDE,
  acquirers: INSIDE,
  simulator: [...INSIDE, 'api', 'services'],
  'demo-shop': [...INSIDE, 'api'],
  config: [],
}
/** The composition root knows everyone. */
const ROOT = /^src\/(main|wire)\.ts$|^src\/cli\//
const CONFIG = /^src\/config(\.ts$|\/)/

/** Code that the domain may use: it is pure. */
const PURE = new Set(['node:assert', 'node:assert/strict'])

export const IMPORT_RULES: readonly Rule[] = [
  {
    says: 'imports point inward',
    applies: isSource,
    find: source => importsOf(source.text).flatMap(({ line, from }) => prefixed(line, objectionTo(source.path, from))),
    bad: [
      sample('src/domain/money.ts', "import { load } from '../engine/engine.ts'"),
      sample('src/domain/money.ts', "import { readFileSync } from 'node:fs'"),
      sample('src/domain/money.ts', "import fastify from 'fastify'"),
      sample('src/engine/engine.ts', "import type { Clock } from '../platform/clock.ts'"),
      sample('src/api/http.ts', "import { SqliteStore } from '../store/sqlite/store.ts'"),
      sample('src/api/http.ts', "export * from '../terminals/fleet.ts'"),
      sample('src/store/memory.ts', "const { a } = await import('../api/http.ts')"),
      sample('src/store/memory.ts', "type A = import('../api/http.ts').A"),
      sample('src/store/memory.ts', "import {\n  a,\n  b,\n} from '../acquirers/routing.ts'"),
      sample('src/terminals/fleet.ts', "import '../platform/log.ts'"),
      sample('src/api/http.ts', "import type { Config } from '../config.ts'"),
      sample('src/api/http.ts', "import { wire } from '../wire.ts'"),
      sample('src/api/http.ts', "import { createRecorder } from '../simulator/recorder/recorder.ts'"),
      sample('src/config/rules.ts', "import type { Clock } from '../engine/ports/clock.ts'"),
      sample('src/tools/thing.ts', "import { a } from '../domain/money.ts'"),
    ],
    good: [
      sample('src/engine/engine.ts', "import { a } from '../domain/money.ts'\nimport { b } from './ports/store.ts'"),
      sample('src/domain/money.ts', "import assert from 'node:assert/strict'"),
      sample('src/simulator/operations/clock.ts', "import { a } from '../../api/operation.ts'"),
      sample('src/wire.ts', "import { a } from './api/http.ts'\nimport { b } from './platform/clock.ts'"),
      sample('src/cli/serve.ts', "import { wire } from '../wire.ts'"),
      sample('src/config.ts', "import { a } from './config/rules.ts'"),
      sample('src/api/http.ts', "// import { a } from '../store/memory.ts'"),
    ],
  },
]

interface Import {
  readonly line: number
  readonly from: string
}

const IMPORT =
  /^[ \t]*(?:import|export)\b[^'"`;]*?\bfrom\s*['"]([^'"]+)['"]|^[ \t]*import\s*['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]/gm

/** Everything a module names as a module. */
function importsOf(text: string): readonly Import[] {
  const code = text.replace(/^\s*(\/\/|\/?\*).*$/gm, '')
  return [...code.matchAll(IMPORT)].map(match => ({
    line: code.slice(0, match.index).split('\n').length,
    from: match[1] ?? match[2] ?? match[3] ?? '',
  }))
}

function objectionTo(path: string, from: string): string | null {
  const place = placeOf(path)
  if (place === null) return 'lies in no place that ARCHITECTURE.md names'
  if (place === 'root') return null
  if (!from.startsWith('.'))
    return place === 'domain' && !PURE.has(from) ? `the domain is pure, so it does not import ${from}` : null
  const target = posix.join(posix.dirname(path), from)
  const known = placeOf(target)
  const may = known === place || (known !== null && KNOWS[place]?.includes(known))
  return may ? null : `${place} may not import ${target}`
}

function placeOf(path: string): string | null {
  if (ROOT.test(path)) return 'root'
  if (CONFIG.test(path)) return 'config'
  const folder = /^src\/([^/]+)\//.exec(path)?.[1] ?? ''
  return folder in KNOWS ? folder : null
}

function prefixed(line: number, what: string | null): readonly string[] {
  return what === null ? [] : [`${line}: ${what}`]
}

function sample(path: string, text: string): Source {
  return { path, text }
}
