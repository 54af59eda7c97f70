// test/support/tidy/form.ts — rules on file names, headers and lengths, and on leftovers.
import ts from 'typescript'
import { findLines, findNodes, isCode, isSource, type Rule, type Source } from './source.ts'

const LONGEST_FILE = 400
/** File names that do not describe the content. */
const EMPTY_NAMES = new Set([
  'utils',
  'util',
  'helpers',
  'helper',
  'common',
  'misc',
  'types',
  'constants',
  'shared',
  'lib',
])
/** Assembled here, or this file would break its own rule. */
const REMINDERS = new RegExp(`\\b(${['TO' + 'DO', 'FIX' + 'ME', 'X' + 'XX'].join('|')})\\b`)
const ADDRESS_IN_LOCK = '"resolved": "http'

export const FORM_RULES: readonly Rule[] = [
  {
    says: 'a file begins with its path and what it is for, in a sentence',
    applies: isCode,
    find: ({ path, text }) => headerFaults(path, text.split('\n', 1)[0] ?? ''),
    bad: [
      sample('src/a.ts', 'export const a = 1'),
      sample('src/a.ts', '// src/b.ts — another file.'),
      sample('src/a.ts', '// src/a.ts'),
      sample('src/a.ts', '// src/a.ts - a hyphen.'),
    ],
    good: [
      sample('src/a.ts', '// src/a.ts — what it is for.\n'),
      sample('src/a.ts', '// src/a.ts — a sentence that\n// goes on.'),
    ],
  },
  {
    says: `files have at most ${LONGEST_FILE} lines`,
    applies: isSource,
    find: ({ text }) => {
      const lines = text.trimEnd().split('\n').length
      return lines > LONGEST_FILE ? [`${lines}: too many lines`] : []
    },
    bad: [sample('src/a.ts', '\n'.repeat(LONGEST_FILE).concat('a'))],
    good: [sample('src/a.ts', 'a\n'.repeat(LONGEST_FILE))],
  },
  {
    says: 'names are kebab-case and say what is inside',
    applies: isCode,
    find: ({ path }) => nameFaults(path),
    bad: [
      'src/utils.ts',
      'src/api/helpers/a.ts',
      'src/engine/types.ts',
      'src/TerminalDriver.ts',
      'test/a_b.test.ts',
    ].map(path => sample(path, '')),
    good: ['src/terminal-driver.ts', 'src/store/migrations/0001-records.ts', 'test/a.test.ts'].map(path =>
      sample(path, ''),
    ),
  },
  {
    says: 'nothing is left for later in a comment',
    applies: path => path !== 'package-lock.json',
    find: source => findLines(source, REMINDERS, 'a reminder'),
    bad: ['TO' + 'DO', 'FIX' + 'ME'].map(word => sample('src/a.ts', `// ${word}: later`)),
    good: [sample('src/a.ts', '// What is to do comes from the table.')],
  },
  {
    says: 'every test runs',
    applies: path => /^test\/.*\.ts$/.test(path),
    find: source =>
      findNodes(source, node => (isHeldBack(node) ? 'a test is held back or alone' : null), /only|skip|todo/),
    bad: [
      "test.only('a', f)",
      "test.skip('a', f)",
      "describe.only('a', f)",
      "it.todo('a')",
      "test.concurrent.only('a', f)",
    ].map(text => sample('test/a.test.ts', text)),
    good: [sample('test/a.test.ts', "test('only the first is taken', f)\nrows.skip(3)\n// test.only")],
  },
  {
    says: 'tests do not sleep',
    applies: path => /^test\/.*\.test\.ts$/.test(path),
    find: source => findNodes(source, node => (isSleep(node) ? 'a wait by the clock' : null), /setTimeout|timers/),
    bad: [
      sample('test/a.test.ts', 'setTimeout(f, 10)'),
      sample('test/a.test.ts', "import { setTimeout as sleep } from 'node:timers/promises'"),
    ],
    good: [sample('test/a.test.ts', 'clock.alarm(10, f)\nsetImmediate(f)')],
  },
  {
    says: 'the lock file names packages, not places to fetch them from',
    applies: path => path === 'package-lock.json',
    find: source => findLines(source, new RegExp(ADDRESS_IN_LOCK), 'an address'),
    bad: [sample('package-lock.json', `{ ${ADDRESS_IN_LOCK}s://packages.example/a.tgz" }`)],
    good: [sample('package-lock.json', '{ "node_modules/a": { "version": "1.0.0", "resolved": "file:a" } }')],
  },
]

function headerFaults(path: string, first: string): readonly string[] {
  const begin = `// ${path} — `
  return first.startsWith(begin) && first.length > begin.length ? [] : [`1: the header is not "${begin}…"`]
}

function nameFaults(path: string): readonly string[] {
  const names = path.split('/').map(part => part.replace(/(\.(test|suite))?\.ts$/, ''))
  return names.flatMap(name => {
    if (EMPTY_NAMES.has(name)) return [`1: the name ${name} says nothing`]
    return /^[a-z0-9]+(-[a-z0-9]+)*$/.test(name) ? [] : [`1: ${name} is not kebab-case`]
  })
}

/** `test.only`, `describe.skip`, `it.todo`, also with other modifiers in between. */
function isHeldBack(node: ts.Node): boolean {
  if (!ts.isPropertyAccessExpression(node) || !['only', 'skip', 'todo'].includes(node.name.text)) return false
  let object: ts.Expression = node.expression
  while (ts.isPropertyAccessExpression(object)) object = object.expression
  return ts.isIdentifier(object) && ['test', 'it', 'describe', 'suite', 'bench'].includes(object.text)
}

function isSleep(node: ts.Node): boolean {
  if (ts.isStringLiteral(node))
    return ts.isImportDeclaration(node.parent) && /^(node:)?timers\/promises$/.test(node.text)
  return ts.isCallExpression(node) && ts.isIdentifier(node.expression) && node.expression.text === 'setTimeout'
}

function sample(path: string, text: string): Source {
  return { path, text }
}
