// test/cli/command-line.test.ts — the command line in general: help, misuse, settings.
import { deepEqual, equal, match, notEqual, ok } from 'node:assert/strict'
import { describe, test } from 'vitest'
import { run, runJson } from './tollgate.ts'

const COMMANDS = [
  ...[
    'serve',
    'config',
    'accounts',
    'users',
    'keys',
    'terminals',
    'token',
    'sale',
    'scenarios',
    'clock',
    'timeline',
    'cards',
  ],
  ...[
    'payments',
    '3ds',
    'webhooks',
    'iso8583',
    'simulate',
    'vault',
    'backup',
    'restore',
    'store',
    'cluster',
    'health',
    'doctor',
  ],
]

test.concurrent('the help lists every command', async () => {
  const { code, stdout } = await run(['--help'])
  equal(code, 0)
  const [, commands = ''] = /^Commands:\n((?: .*\n)+)/m.exec(stdout) ?? []
  deepEqual(
    [...commands.matchAll(/^ {2}(\w+) /gm)].map(([, name]) => name),
    [...COMMANDS, 'help'],
  )
})

test.concurrent.each(COMMANDS)('the help of %s has examples', async command => {
  const { code, stdout, stderr } = await run([command, '--help'])
  deepEqual({ code, stderr }, { code: 0, stderr: '' })
  match(stdout, new RegExp(`Examples:\\n.*tollgate ${command}`))
})

test.concurrent('the version is that of the package', async () => {
  const { code, stdout } = await run(['--version'])
  equal(code, 0)
  match(stdout, /^\d+\.\d+\.\d+\n$/)
})

test.concurrent.each([
  ['an argument', ['accounts', 'revoke', '4456_5300_0000_1096']],
  ['an option', ['serve', '--4456530000001096']],
  ['a value', ['terminals', 'add', 'demo', '4456 5300 0000 1096']],
  ['a name of nothing', ['terminals', 'list', '4456530000001096', '--data', '/nowhere/4456530000001096']],
])('%s that looks like a card number is not repeated', async (_, args) => {
  const { code, stdout, stderr } = await run(args)
  notEqual(code, 0)
  ok(!`${stdout}${stderr}`.includes('1096'), stderr)
})

describe('input that is not understood exits with 2 and is reported on stderr', () => {
  test.concurrent.each([
    ['an unknown command', ['sevre'], /unknown command 'sevre'\n\(Did you mean serve\?\)/],
    ['an unknown option', ['serve', '--prot', '1'], /unknown option '--prot'/],
    ['no command', [], /Usage: tollgate/],
    ['no subcommand', ['keys'], /Usage: tollgate keys/],
    ['a missing argument', ['keys', 'list'], /missing required argument 'account'/],
    ['an argument that cannot be', ['accounts', 'revoke', 'A/B'], /small letters, digits and hyphens/],
    ['a terminal that cannot be', ['sale', '--terminal', 'a b', '--amount', '100'], /terminal/],
    ['a sale without an amount', ['sale', '--terminal', '22160001'], /A SALE needs an --amount\./],
    ['an amount that is none', ['sale', '--terminal', '22160001', '--amount', 'ten'], /2599 is 25\.99/],
    ['a decimal amount', ['sale', '--amount', '25.00'], /25\.00 is 2500\.\n/],
    ['a decimal cashback', ['sale', '--cashback', '5.5'], /5\.5 is 550\.\n/],
    ['a decimal total', ['sale', '--pre-authorised-total', '25.00'], /25\.00 is 2500\.\n/],
  ])('%s', async (_, args, sentence) => {
    const { code, stdout, stderr } = await run(args)
    deepEqual({ code, stdout }, { code: 2, stdout: '' })
    match(stderr, sentence)
  })
})

interface ShownSettings {
  readonly settings: readonly { setting: string; value: string | null; set: boolean; secret: boolean; from: string }[]
}

test.concurrent('config shows the settings in force and their sources, but no secrets', async () => {
  const secret = 'a-token-nobody-may-see'
  const env = { TOLLGATE_METRICS_TOKEN: secret, TOLLGATE_MODE: 'sandbox' }
  const { settings } = await runJson<ShownSettings>(['config', '--port', '4321'], env)
  const of = (name: string) => settings.find(({ setting }) => setting === name)
  deepEqual([of('PORT')?.value, of('PORT')?.from], ['4321', 'option'])
  deepEqual([of('TOLLGATE_MODE')?.value, of('TOLLGATE_MODE')?.from], ['sandbox', 'environment'])
  deepEqual([of('HOST')?.value, of('HOST')?.from], ['127.0.0.1', 'default'])
  deepEqual([of('TOLLGATE_METRICS_TOKEN')?.value, of('TOLLGATE_METRICS_TOKEN')?.set], [null, true])
  deepEqual([of('TOLLGATE_PUBLIC_URL')?.value, of('TOLLGATE_PUBLIC_URL')?.set], [null, false])
  const { stdout } = await run(['config'], env)
  ok(!stdout.includes(secret))
  match(stdout, /TOLLGATE_METRICS_TOKEN +\(set\) +environment/)
})

test.concurrent('config reports every invalid setting', async () => {
  const { code, stdout, stderr } = await run(['config'], { PORT: 'high', TOLLGATE_MODE: 'real' })
  deepEqual({ code, stdout }, { code: 1, stdout: '' })
  match(stderr, /^tollgate: PORT must be .*\ntollgate: TOLLGATE_MODE must be .*\n$/)
})

test.concurrent('cards shows the full test numbers for online forms, and only masks of cards for terminals', async () => {
  const { stdout } = await run(['cards'])
  const [schemas = '', drawer = ''] = stdout.split('\n\n')
  match(schemas, /^4456530000001096 +VISA +12\/30 +020 +John Watson +0 +2\.0 +1234$/m)
  match(drawer, /\*{12}\d{4}/)
  equal(/\d{13}/.exec(drawer), null)
  const { cards, onlineCards } = await runJson<Record<'cards' | 'onlineCards', readonly object[]>>(['cards'])
  notEqual(cards.length, 0)
  equal(onlineCards.length, 25)
})
