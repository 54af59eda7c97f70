// test/support/tidy/language.ts — rules on the permitted parts of TypeScript.
import ts from 'typescript'
import { findNodes, isSource, linesOf, type Rule, type Source } from './source.ts'

const LONGEST_FUNCTION = 60
/** The only folder that may compare API versions. */
const LADDER = /^src\/api\/versions\//
const VERSION = /^v\d$/

/** Functions that would read worse in parts, each with its reason. */
const LONG_FOR_A_REASON: readonly { readonly path: string; readonly name: string; readonly because: string }[] = [
  {
    path: 'src/domain/counter/transaction.ts',
    name: 'apply',
    because: 'It has one short arm for each event; the list of events is the point of it.',
  },
]

export const LANGUAGE_RULES: readonly Rule[] = [
  nodeRule('there is no any', node => (node.kind === ts.SyntaxKind.AnyKeyword ? 'any' : null), {
    bad: ['const a: any = 1', 'f(a as any)', 'type A = Record<string, any>'],
    good: ["const any = 'any'", 'type A = { any: number }'],
  }),
  nodeRule('nothing is declared not null by force', node => (ts.isNonNullExpression(node) ? 'a non-null !' : null), {
    bad: ['f(a!)', 'a!.b()'],
    good: ['if (!a) f()', 'const b = a !== c'],
  }),
  nodeRule('types leave no trace when they are erased', inerasable, {
    bad: ['enum A { b }', 'class A { constructor(readonly b: string) {} }', 'namespace A { export const b = 1 }'],
    good: ['class A { readonly b: string\n constructor(b: string) { this.b = b } }', "declare module 'fastify' {}"],
  }),
  nodeRule('exports have names', unnamed, {
    bad: ['export default function f() {}', 'export default {}', 'const a = 1\nexport { a as default }'],
    good: ['export const a = 1', "import a from 'fastify'"],
  }),
  {
    ...nodeRule('API versions are told apart on the ladder only', versionTold, {
      bad: ["if (version === 'v0') f()", "const a = caller.version !== 'v1' ? 1 : 2", "switch (a) { case 'v2': f() }"],
      good: ["const latest: Version = 'v2'", 'if (record.version === expected) f()', "f('v1')"],
    }),
    applies: path => isSource(path) && !LADDER.test(path),
  },
  {
    says: `functions have at most ${LONGEST_FUNCTION} lines`,
    applies: isSource,
    find: source => findNodes(source, node => tooLong(source.path, node)),
    bad: [
      sample(`function f() {${blank(LONGEST_FUNCTION)}}`),
      sample(`g(() => {${blank(LONGEST_FUNCTION)}})`),
      sample(`function f() {\n const g = () => {${blank(40)}}${blank(LONGEST_FUNCTION)}}`),
    ],
    good: [
      sample(`function f() {${blank(LONGEST_FUNCTION - 1)}}`),
      sample(`const a = {${blank(99)}}`),
      sample(`function f() {\n const g = () => {${blank(50)}}\n return () => {${blank(50)}}\n}`),
    ],
  },
]

function inerasable(node: ts.Node): string | null {
  if (ts.isEnumDeclaration(node)) return 'enum'
  if (ts.isModuleDeclaration(node) && ts.isIdentifier(node.name)) return 'namespace'
  return ts.isParameter(node) && ts.isParameterPropertyDeclaration(node, node.parent) ? 'parameter property' : null
}

function unnamed(node: ts.Node): string | null {
  const isDefault =
    ts.isExportAssignment(node) ||
    (ts.isExportSpecifier(node) && node.name.text === 'default') ||
    (node.kind === ts.SyntaxKind.DefaultKeyword && ts.isFunctionDeclaration(node.parent))
  return isDefault ? 'default export' : null
}

function versionTold(node: ts.Node): string | null {
  const told =
    (ts.isBinaryExpression(node) && isEquality(node) && [node.left, node.right].some(isVersion)) ||
    (ts.isCaseClause(node) && isVersion(node.expression))
  return told ? 'a version is compared' : null
}

function isEquality({ operatorToken: { kind } }: ts.BinaryExpression): boolean {
  return (
    kind === ts.SyntaxKind.EqualsEqualsEqualsToken ||
    kind === ts.SyntaxKind.ExclamationEqualsEqualsToken ||
    kind === ts.SyntaxKind.EqualsEqualsToken ||
    kind === ts.SyntaxKind.ExclamationEqualsToken
  )
}

function isVersion(node: ts.Node): boolean {
  return ts.isStringLiteral(node) && VERSION.test(node.text)
}

function tooLong(path: string, node: ts.Node): string | null {
  if (!isFunction(node) || LONG_FOR_A_REASON.some(each => each.path === path && each.name === node.name?.getText()))
    return null
  const lines = ownLinesOf(node)
  return lines > LONGEST_FUNCTION ? `a function of ${lines} lines` : null
}

/** Number of lines of a function without those of nested functions. */
function ownLinesOf(node: ts.FunctionLikeDeclaration): number {
  const { first, last } = linesOf(node.getSourceFile(), node)
  let inner = 0
  const context = (child: ts.Node): void => {
    if (isFunction(child)) {
      const lines = linesOf(child.getSourceFile(), child)
      inner += lines.last - lines.first
    } else ts.forEachChild(child, context)
  }
  ts.forEachChild(node, context)
  return last - first + 1 - inner
}

function isFunction(node: ts.Node): node is ts.FunctionLikeDeclaration {
  return ts.isFunctionLike(node) && 'body' in node && node.body !== undefined
}

function nodeRule(
  says: string,
  look: (node: ts.Node) => string | null,
  samples: { readonly bad: readonly string[]; readonly good: readonly string[] },
): Rule {
  return {
    says,
    applies: isSource,
    find: source => findNodes(source, look),
    bad: samples.bad.map(sample),
    good: samples.good.map(sample),
  }
}

function blank(lines: number): string {
  return '\n'.repeat(lines)
}

function sample(text: string): Source {
  return { path: 'src/engine/sample.ts', text }
}
