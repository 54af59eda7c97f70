// src/cli/serve.ts — `tollgate serve`: runs the gateway: environment → configuration → parts → context.
import type { Command } from 'commander'
import { EVERYTHING } from '../config/rules.ts'
import type { Fault } from '../engine/fault.ts'
import { FAILED } from './failure.ts'
import { refuseOpenKeys } from './key-permissions.ts'
import { openFilesLimit, RECOMMENDED, requireOpenFiles } from './open-files.ts'
import { openParts } from './parts.ts'
import { addSettingsOptions, configOf, type SettingsOptions } from './settings-options.ts'
import { outliveReaders, print, type Shell } from './shell.ts'
import { endAfter, endOnFaults, stopSignal } from './shutdown.ts'
import { summaryOf, summaryText } from './summary.ts'

const EXAMPLES = `
Examples:
  tollgate serve                             a sandbox on http://127.0.0.1:4020, data in ./data
  tollgate serve --port 0 --data /tmp/try    on any free port
  tollgate serve --host 0.0.0.0              for phones and tills in the network
  TOLLGATE_MODE=live tollgate serve          live mode; prints what else it needs
All other settings are environment variables: \`tollgate config\` shows them. SIGTERM or Ctrl-C stops it: open
requests are answered first, and running transactions continue at the next start.`

type Options = SettingsOptions & { readonly json?: true }

/** Defines the command. */
export function define(command: Command, shell: Shell): void {
  addSettingsOptions(command)
    .option('--json', 'print the summary as one line of JSON')
    .addHelpText('after', EXAMPLES)
    .action((options: Options) => serve(shell, options))
}

async function serve(shell: Shell, options: Options): Promise<void> {
  const stopping = stopSignal()
  outliveReaders(shell)
  const config = configOf(shell, options, EVERYTHING)
  const openFiles = openFilesLimit()
  requireOpenFiles(openFiles)
  refuseOpenKeys(config)
  const endWithStore = (fault: Fault) => {
    shell.stderr.write(`tollgate: ${fault.message}\n`)
    process.exit(FAILED)
  }
  // The store opens while the modules of the HTTP server load; together they are most of the start-up time.
  const [open, { openContext }] = await Promise.all([
    openParts(config, shell.stderr, endWithStore),
    import('./context.ts'),
  ])
  const { log } = open.parts
  endOnFaults(log)
  if (openFiles !== null && openFiles < RECOMMENDED)
    log.warn({ openFiles, recommended: RECOMMENDED }, 'open files limit is low; connections above it are refused')
  const context = await openContext(config, open)
  log.info({ mode: config.mode, listening: context.listening }, 'gateway started')
  const addresses = { url: context.url, networkUrls: context.networkUrls() }
  const summary = await summaryOf(config, addresses, context.gateway.store, open.signingKey)
  print(shell, options.json ? JSON.stringify(summary) : summaryText(summary))
  const signal = await stopping
  log.info({ signal }, 'gateway stopping')
  endAfter(shell, config)
  await context.close(config.drainMs)
  log.info({}, 'gateway stopped')
}
