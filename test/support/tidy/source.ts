// test/support/tidy/source.ts — type of a tidiness rule, and the files that it reads.
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import ts from 'typescript'

export interface Source {
  /** Relative to the root of the repository, with forward slashes. */
  readonly path: string
  readonly text: string
}

export interface Rule {
  /** A sentence that is true of the tree. */
  readonly says: string
  applies(path: string): boolean
  /** Findings, as `line: text`. */
  find(source: Source): readonly string[]
  /** Samples in which the rule must find something. */
  readonly bad: readonly Source[]
  /** Similar samples without a fault. */
  readonly good: readonly Source[]
}

/** Git's own folder, and what git ignores. */
const NOT_OURS = new Set(['.git', 'node_modules', 'dist', 'data', 'coverage', 'test-results'])
const TEXT = /\.(ts|js|cjs|mjs|json|md|html|css|svg|yml|yaml)$|(^|\/)(run|LICENSE|\.editorconfig|\.gitignore)$/

/** All text files of the repository under `root`. */
export function readTree(root: string): readonly Source[] {
  const files = (directory: string): readonly string[] =>
    readdirSync(directory, { withFileTypes: true }).flatMap(entry => {
      const path = join(directory, entry.name)
      if (NOT_OURS.has(entry.name)) return []
      return entry.isDirectory() ? files(path) : entry.isFile() && TEXT.test(entry.name) ? [path] : []
    })
  return files(root).map(path => ({
    path: relative(root, path).split(sep).join('/'),
    text: readFileSync(path, 'utf8'),
  }))
}

export function isSource(path: string): boolean {
  return /^src\/.*\.ts$/.test(path)
}

export function isCode(path: string): boolean {
  return /^(src|test|bench|docs|web)\/.*\.ts$/.test(path)
}

interface Parsed {
  readonly tree: ts.SourceFile
  /** All nodes, outermost first. */
  readonly nodes: readonly ts.Node[]
}

const parsed = new WeakMap<Source, Parsed>()

/** Parses each source once for all rules. */
function parse(source: Source): Parsed {
  const known = parsed.get(source)
  if (known !== undefined) return known
  const tree = ts.createSourceFile(source.path, source.text, ts.ScriptTarget.Latest, true)
  const nodes: ts.Node[] = []
  const context = (node: ts.Node): void => {
    nodes.push(node)
    ts.forEachChild(node, context)
  }
  context(tree)
  parsed.set(source, { tree, nodes })
  return { tree, nodes }
}

/** One finding for each node for which `look` returns a text. A source whose text does not match `hint` is not parsed. */
export function findNodes(source: Source, look: (node: ts.Node) => string | null, hint = /^/): readonly string[] {
  if (!hint.test(source.text)) return []
  const { tree, nodes } = parse(source)
  return nodes.flatMap(node => {
    const what = look(node)
    return what === null ? [] : [`${linesOf(tree, node).first}: ${what}`]
  })
}

/** One finding for each matching line. */
export function findLines(source: Source, pattern: RegExp, what: string): readonly string[] {
  return source.text.split('\n').flatMap((line, index) => (pattern.test(line) ? [`${index + 1}: ${what}`] : []))
}

/** First and last line of a node, counted from 1. */
export function linesOf(tree: ts.SourceFile, node: ts.Node): { readonly first: number; readonly last: number } {
  const lineAt = (position: number): number => tree.getLineAndCharacterOfPosition(position).line + 1
  return { first: lineAt(node.getStart(tree)), last: lineAt(node.getEnd()) }
}
