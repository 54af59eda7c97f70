// test/unit/docs/shell-commands.test.ts — commands that README, pages and command line show work in bash and in zsh.
import { deepEqual, ok } from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { PassThrough } from 'node:stream'
import { describe, test } from 'vitest'
import { landingPage } from '../../../src/api/describe/pages/landing.ts'
import { runProgram } from '../../../src/cli/program.ts'
import { summaryText } from '../../../src/cli/summary.ts'

const README = readFileSync(new URL('../../../README.md', import.meta.url), 'utf8')
/** The brackets of an IPv6 address are a pattern for zsh, which fails when no file matches. */
const URL_WITH_BRACKETS = 'http://[::1]:4020'

const SUMMARY = summaryText({
  url: URL_WITH_BRACKETS,
  docs: `${URL_WITH_BRACKETS}/docs`,
  consoleUrl: `${URL_WITH_BRACKETS}/console`,
  mode: 'sandbox',
  dataDirectory: '/data',
  accounts: [{ account: 'demo', apiKey: 'demo-api-key', currency: 'GBP', terminals: ['VCMDEMOSIP0'] }],
  merchantHost: null,
  networkUrls: [],
  token: null,
})

const LANDING = new TextDecoder().decode(
  landingPage(
    { mode: 'sandbox', publicKey: { account: 'demo', key: 'demo-api-key' }, programVersion: '0.0.0' },
    URL_WITH_BRACKETS,
    [{ tid: 'VCMDEMOSIP0', state: 'AVAILABLE' }],
  ),
)

/** The commands of each source. A continued line is one command. */
const COMMANDS: readonly (readonly [string, readonly string[]])[] = [
  ['README.md', [...README.matchAll(/^```sh\n([\s\S]*?)^```/gm)].flatMap(([, block = '']) => linesOf(block))],
  ['the summary', linesOf(SUMMARY).filter(line => line.startsWith('curl'))],
  [
    'the first page',
    [...LANDING.matchAll(/<code>(curl[\s\S]*?)<\/code>/g)].flatMap(([, code = '']) => linesOf(textOf(code))),
  ],
  ['the help', await helpExamples()],
]

describe.each(COMMANDS)('each command of %s', (_, commands) => {
  test('is found', () => ok(commands.length >= 1))

  test('means the same in zsh', () => {
    deepEqual(
      commands.flatMap(command => faultsOf(command).map(fault => `${command}: ${fault}`)),
      [],
    )
  })

  test.runIf(isInstalled('zsh'))('is parsed by zsh', () => {
    for (const command of commands) execFileSync('zsh', ['-f', '-n', '-c', command])
  })
})

test('what fails in zsh is noticed', () => {
  const faulty = [
    'curl $AUTH http://127.0.0.1:4020/v1/payments',
    `curl ${URL_WITH_BRACKETS}/docs`,
    'curl http://127.0.0.1:4020/api/payments?live=true',
    'tollgate serve # a comment',
    'tollgate serve --data <directory>',
    'curl -d "{}!" http://127.0.0.1',
  ]
  deepEqual(
    faulty.filter(command => faultsOf(command).length === 0),
    [],
  )
})

/** What zsh reads otherwise than bash, or what neither reads as it is meant. Interactive zsh has no comments. */
function faultsOf(command: string): readonly string[] {
  const bare = command
    .replaceAll(/'[^']*'/g, '_')
    .replaceAll(/"(?:[^"\\]|\\.)*"/g, text => (text.includes('!') ? '!' : '_'))
  const faults: readonly (readonly [RegExp, string])[] = [
    [/(?<!=)\$(?!\()/, 'zsh does not split a variable into words, bash does'],
    [/[?*[\]{}]/, 'zsh takes this for a pattern of file names'],
    [/(?:^|\s)#/, 'interactive zsh has no comments'],
    [/<\w|(?:^|\s)…/, 'a placeholder is no argument'],
    [/!/, 'history is expanded'],
  ]
  return faults.flatMap(([pattern, fault]) => (pattern.test(bare) ? [fault] : []))
}

function linesOf(text: string): readonly string[] {
  const lines = text.replaceAll(/\\\n\s*/g, '').split('\n')
  return lines.map(line => line.trim()).filter(line => line !== '')
}

function textOf(html: string): string {
  return html.replaceAll('&#39;', "'").replaceAll('&quot;', '"').replaceAll('&amp;', '&')
}

/** The examples in the help of every command, without what is said about them. */
async function helpExamples(): Promise<readonly string[]> {
  const [, commands = ''] = /^Commands:\n((?: .*\n)+)/m.exec(await helpOf()) ?? []
  const names = [...commands.matchAll(/^ {2}(\w+) /gm)].map(([, name = '']) => name).filter(name => name !== 'help')
  const texts = await Promise.all(names.map(name => helpOf(name)))
  const examples = texts.flatMap(text => linesOf(/Examples:\n((?: {2}.*\n)*)/.exec(text)?.[1] ?? ''))
  return examples.map(example => example.split(/ {3,}/)[0] ?? '')
}

async function helpOf(...args: readonly string[]): Promise<string> {
  const stdout = new PassThrough()
  const stream = stdout as unknown as NodeJS.WriteStream
  await runProgram([...args, '--help'], { env: {}, stdin: process.stdin, stdout: stream, stderr: stream })
  return String(stdout.read())
}

function isInstalled(program: string): boolean {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
