// test/support/tidy/globals.ts — rules that restrict clock, randomness, environment and console to one place each.
import ts from 'typescript'
import { findNodes, isSource, type Rule, type Source } from './source.ts'

interface Ban {
  readonly says: string
  /** Globals, or `object.property`. */
  readonly names: readonly string[]
  readonly modules: readonly string[]
  /** Paths where it is allowed. */
  readonly except: RegExp
}

const NOWHERE = /^$/

const BANS: readonly Ban[] = [
  {
    says: 'time is told by the Clock port',
    names: ['Date.now', 'new Date()', 'setTimeout', 'setInterval', 'setImmediate', 'performance.now', 'process.hrtime'],
    modules: ['timers', 'timers/promises', 'perf_hooks'],
    except: /^src\/(platform\/|cli\/|main\.ts$)/,
  },
  {
    says: 'chance comes from the Random port',
    names: ['randomUUID', 'randomBytes', 'randomInt', 'getRandomValues'],
    modules: [],
    except: /^src\/(platform\/|cli\/|main\.ts$)/,
  },
  { says: 'nothing that can be guessed passes for chance', names: ['Math.random'], modules: [], except: NOWHERE },
  {
    says: 'the environment is read at the start and handed on',
    names: ['process.env'],
    modules: [],
    except: /^src\/(cli\/|main\.ts$)/,
  },
  { says: 'nobody writes to the console', names: ['console'], modules: ['console'], except: NOWHERE },
]

/** Permitted uses, each with its reason. */
const ALLOWED: readonly { readonly path: string; readonly name: string; readonly because: string }[] = [
  {
    path: 'src/engine/end-of-turn.ts',
    name: 'setImmediate',
    because: 'The end of a turn of the event loop is no time that a clock could tell.',
  },
]

export const GLOBAL_RULES: readonly Rule[] = BANS.map(ban => ({
  says: ban.says,
  applies: path => isSource(path) && !ban.except.test(path),
  find: source => findNodes(source, node => usedBy(node, ban)).filter(found => !isAllowed(source.path, found)),
  bad: ban.names
    .flatMap(name => badUsesOf(name))
    .concat(ban.modules.map(name => sample(`import a from 'node:${name}'`))),
  good: [
    sample("// Date.now, Math.random and setTimeout in a comment\nconst a = 'process.env'"),
    sample('const a = new Date(0)\nsocket.setTimeout(5)\nconst b: { setTimeout: 1; console: 2 } = c'),
    sample('export const names = { Date: 1, console: 2, randomBytes: 3 }'),
  ],
}))

function usedBy(node: ts.Node, { names, modules }: Ban): string | null {
  if (ts.isStringLiteral(node) && ts.isImportDeclaration(node.parent)) {
    const module = node.text.replace(/^node:/, '')
    return modules.includes(module) ? module : null
  }
  const name = nameOf(node)
  return name !== null && names.includes(name) ? name : null
}

/** Name of the global that a node uses: `setTimeout`, `Date.now`, `new Date()`. Null for other nodes. */
function nameOf(node: ts.Node): string | null {
  if (ts.isNewExpression(node))
    return ts.isIdentifier(node.expression) && (node.arguments?.length ?? 0) === 0
      ? `new ${node.expression.text}()`
      : null
  if (ts.isPropertyAccessExpression(node)) return propertyOf(node.expression, node.name.text)
  if (ts.isElementAccessExpression(node) && ts.isStringLiteral(node.argumentExpression))
    return propertyOf(node.expression, node.argumentExpression.text)
  if (ts.isIdentifier(node) && !isOnlyAName(node)) return node.text
  return null
}

function propertyOf(object: ts.Expression, property: string): string | null {
  if (!ts.isIdentifier(object)) return null
  // `globalThis.setTimeout` and `crypto.randomUUID` are long names of the function.
  const long = ['globalThis', 'global', 'crypto'].includes(object.text)
  return long ? property : `${object.text}.${property}`
}

/** Whether the node is only a property, a key or a member of a type with that name. */
function isOnlyAName(node: ts.Identifier): boolean {
  const { parent } = node
  return (
    (ts.isPropertyAccessExpression(parent) && parent.name === node) ||
    (ts.isPropertyAssignment(parent) && parent.name === node) ||
    ts.isTypeElement(parent) ||
    ts.isMethodDeclaration(parent)
  )
}

function isAllowed(path: string, found: string): boolean {
  return ALLOWED.some(each => each.path === path && found.endsWith(`: ${each.name}`))
}

function badUsesOf(name: string): readonly Source[] {
  if (name.startsWith('new ')) return [sample(`const a = ${name}`), sample(`f(${name.slice(0, -2)})`)]
  if (name.includes('.')) {
    const [object, property] = name.split('.')
    return [sample(`const a = ${name}`), sample(`f(${object}['${property}'])`)]
  }
  return [sample(`${name}(a)`), sample(`const a = ${name}`), sample(`globalThis.${name}(a)`)]
}

function sample(text: string): Source {
  return { path: 'src/engine/sample.ts', text }
}
