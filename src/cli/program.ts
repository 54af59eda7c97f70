// src/cli/program.ts — the list of commands. A new command is a file and an entry here.
import { Command } from 'commander'
import { maskCardNumbers } from '../domain/card-numbers.ts'
import { report } from './failure.ts'
import type { Shell } from './shell.ts'
import { programVersion } from './version.ts'

interface Entry {
  readonly name: string
  readonly summary: string
  /** Imports the command. Only the called one is imported, for a quick start. */
  load(): Promise<{ define(command: Command, shell: Shell): void }>
}

const COMMANDS: readonly Entry[] = [
  { name: 'serve', summary: 'start the gateway', load: () => import('./serve.ts') },
  {
    name: 'config',
    summary: 'show which settings are in force and where each comes from',
    load: () => import('./config.ts'),
  },
  { name: 'accounts', summary: 'create, list and revoke merchant accounts', load: () => import('./accounts.ts') },
  {
    name: 'users',
    summary: 'add, list and end the people who sign in to the console',
    load: () => import('./users.ts'),
  },
  { name: 'keys', summary: 'create, list and revoke the API keys of an account', load: () => import('./keys.ts') },
  { name: 'terminals', summary: 'add, list, remove and set up card terminals', load: () => import('./terminals.ts') },
  { name: 'token', summary: 'make the JWT with which a web shop authenticates', load: () => import('./token.ts') },
  { name: 'sale', summary: 'take a payment at a terminal and watch it', load: () => import('./sale.ts') },
  {
    name: 'scenarios',
    summary: 'list, show and check the ways a simulated payment can go',
    load: () => import('./scenarios.ts'),
  },
  { name: 'clock', summary: "read and move the clock of a sandbox's account", load: () => import('./clock.ts') },
  {
    name: 'timeline',
    summary: 'show the messages and events of a transaction, or export it as a scenario',
    load: () => import('./timeline.ts'),
  },
  { name: 'cards', summary: 'list the test cards of the sandbox', load: () => import('./cards.ts') },
  { name: 'payments', summary: 'list online payments, close one', load: () => import('./payments.ts') },
  {
    name: '3ds',
    summary: 'explain messages of EMV 3-D Secure, look into card ranges, try a directory server',
    load: () => import('./three-d-secure.ts'),
  },
  {
    name: 'webhooks',
    summary: 'receive webhooks on a laptop, list them, send one again',
    load: () => import('./webhooks.ts'),
  },
  {
    name: 'iso8583',
    summary: "check an acquirer's ISO 8583 dialect, and show its messages field by field",
    load: () => import('./iso8583.ts'),
  },
  {
    name: 'simulate',
    summary: "run an acquirer's host, a security module, a card terminal or a directory server for tests",
    load: () => import('./simulate.ts'),
  },
  {
    name: 'vault',
    summary: 'show, rotate and retire the keys that encrypt card data',
    load: () => import('./vault.ts'),
  },
  { name: 'backup', summary: 'copy the data directory, beside a running gateway', load: () => import('./backup.ts') },
  { name: 'restore', summary: 'put a backup into an empty data directory', load: () => import('./restore.ts') },
  { name: 'store', summary: 'copy a gateway between a data directory and Postgres', load: () => import('./store.ts') },
  { name: 'cluster', summary: 'show the nodes of a gateway on Postgres', load: () => import('./cluster.ts') },
  { name: 'health', summary: 'ask the running gateway whether it takes work', load: () => import('./health.ts') },
  {
    name: 'doctor',
    summary: 'check an installation and say what to do about each problem',
    load: () => import('./doctor.ts'),
  },
]

const EXAMPLES = `
Examples:
  tollgate serve                                   a complete sandbox on http://127.0.0.1:4020
  tollgate sale --terminal VCMDEMOSIP0 --amount 2599
  tollgate doctor

A command that fails says why in a sentence on stderr and exits with 1, or with 2 when its arguments are invalid.`

/** Runs a command. Resolves to its exit code. */
export async function runProgram(argv: readonly string[], shell: Omit<Shell, 'exitWith'>): Promise<number> {
  let exitCode = 0
  const whole: Shell = { ...shell, exitWith: code => (exitCode = code) }
  const program = topLevel(whole)
  try {
    for (const { name, summary, load } of COMMANDS) {
      const command = program
        .command(name)
        .summary(summary)
        .description(`${sentence(summary)}.`)
      if (argv.includes(name)) (await load()).define(command, whole)
    }
    await program.parseAsync(argv, { from: 'user' })
    return exitCode
  } catch (error) {
    return report(whole, error)
  }
}

function topLevel(shell: Shell): Command {
  return new Command('tollgate')
    .description('An open, self-hosted payment gateway: card terminals, pay at table and a hosted payment form.')
    .version(programVersion(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand('help [command]', 'print the help of a command')
    .addHelpText('after', EXAMPLES)
    .exitOverride()
    .configureHelp({ sortOptions: false })
    .configureOutput({
      writeOut: text => shell.stdout.write(text),
      writeErr: text => shell.stderr.write(text),
      outputError: (text, write) => write(maskCardNumbers(text.replace(/^error: /, 'tollgate: '))),
    })
}

function sentence(summary: string): string {
  return summary.charAt(0).toUpperCase() + summary.slice(1)
}
