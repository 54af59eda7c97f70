// src/cli/iso8583-ping.ts — `tollgate iso8583 ping`: connects to a host, signs on, and measures an echo.
import { readFileSync } from 'node:fs'
import { type Command, Option } from 'commander'
import { createHostConnection } from '../acquirers/iso8583/connection/host-connection.ts'
import type { Dialect } from '../acquirers/iso8583/dialect.ts'
import type { HostTls } from '../engine/ports/socket-opener.ts'
import { systemClock } from '../platform/clock.ts'
import { systemRandom } from '../platform/random.ts'
import { createSocketOpener } from '../platform/socket-opener.ts'
import { Failure } from './failure.ts'
import { dialectOf } from './iso8583-dialects.ts'
import { NO_LOG } from './no-log.ts'
import { print, printFirst, printJson, type Shell } from './shell.ts'

interface Options {
  readonly host: string
  readonly port: string
  readonly tls?: true
  readonly ca?: string
  readonly cert?: string
  readonly key?: string
  readonly serverName?: string
  readonly set?: readonly string[]
  readonly json?: true
}

/** Defines the command. */
export function definePing(command: Command, shell: Shell): void {
  command
    .command('ping')
    .description('Connect to a host, sign on, send an echo, and sign off.')
    .argument('<dialect>', 'name of a dialect, or a file')
    .requiredOption('--host <name>', 'name or address of the host')
    .requiredOption('--port <number>', 'its port')
    .option('--tls', 'use TLS; any of the next four options implies it')
    .option('--ca <file>', "authorities of the host's certificate, PEM; default: those that the machine trusts")
    .option('--server-name <name>', "name in the host's certificate; default: that of --host")
    .option('--cert <file>', 'certificate of the gateway, PEM')
    .option('--key <file>', 'its private key, PEM, without a passphrase')
    .addOption(
      new Option(
        '--set <field=value>',
        'value of a field that the dialect lists as a setting, such as 41=29110001',
      ).argParser((given: string, before: readonly string[] = []) => [...before, given]),
    )
    .option('--json', 'print JSON')
    .action((named: string, options: Options) => ping(shell, dialectOf(named), options))
}

async function ping(shell: Shell, dialect: Dialect, options: Options): Promise<void> {
  const { name, mac } = dialect.document
  if (mac !== undefined)
    throw new Failure(
      `${name} has a mac, and this command has no keys. A dialect without mac can be tried; the gateway uses both.`,
    )
  const address = { host: options.host, port: portIn(options.port) }
  const where = `${address.host}:${address.port}`
  const clock = systemClock()
  const connection = createHostConnection({
    ...{ dialect, addresses: [address], tls: tlsOf(options), opener: createSocketOpener({ clock }), clock },
    ...{ random: systemRandom(), log: NO_LOG, keys: null },
    ...{ settings: settingsIn(dialect, options.set ?? []), timeZone: 'UTC', nextStan: counter(clock.now()) },
  })
  printFirst(shell, `Connecting to ${where}…`, options)
  const begun = clock.now()
  try {
    await connection.start()
    const readyMs = clock.now() - begun
    const echoMs = await connection.echo()
    if (options.json) printJson(shell, { dialect: name, address: where, readyMs, echoMs })
    else print(shell, sentenceOf(where, dialect, readyMs, echoMs))
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new Failure(`${name} cannot be used. ${why.replace(/\.$/, '')}.`, { cause: error })
  } finally {
    await connection.close(dialect.document.timers.answerMs)
  }
}

function sentenceOf(where: string, { messages }: Dialect, readyMs: number, echoMs: number | null): string {
  const ready = messages.signOn === undefined ? 'Connected to' : 'Signed on to'
  const echo = echoMs === null ? 'The dialect has no echo.' : `An echo was answered within ${echoMs} ms.`
  return `${ready} ${where} within ${readyMs} ms. ${echo}`
}

function portIn(text: string): number {
  const port = Number(text)
  if (/^\d{1,5}$/.test(text) && port >= 1 && port <= 65_535) return port
  throw new Failure(`--port must be a number from 1 to 65535, not ${text}.`)
}

function tlsOf({ tls, ca, cert, key, serverName }: Options): HostTls | null {
  if ((cert === undefined) !== (key === undefined)) throw new Failure('--cert and --key belong together.')
  if (tls === undefined && ca === undefined && cert === undefined && serverName === undefined) return null
  return {
    ...(ca === undefined ? {} : { authorities: textOf('--ca', ca) }),
    ...(serverName === undefined ? {} : { serverName }),
    ...(cert === undefined || key === undefined
      ? {}
      : { certificate: textOf('--cert', cert), privateKey: textOf('--key', key) }),
  }
}

function textOf(option: string, file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new Failure(`${option} must be a file that can be read; ${file} cannot.`, { cause: error })
  }
}

function settingsIn({ document }: Dialect, given: readonly string[]): Readonly<Record<number, string>> {
  return Object.fromEntries(
    given.map(text => {
      const [, number = '', value = ''] = /^(\d{1,3})=(.*)$/.exec(text) ?? []
      if (document.settings.includes(Number(number))) return [Number(number), value] as const
      throw new Failure(
        `--set takes one of the fields ${document.settings.join(', ')} with its value, such as 41=29110001.`,
      )
    }),
  )
}

/** Audit numbers that begin at the time of day, so that a second check does not repeat the first. */
function counter(now: number): () => Promise<string> {
  const day = 86_400
  let last = Math.floor(now / 1_000) % day
  return async () => {
    last += 1
    return String(last).padStart(6, '0')
  }
}
