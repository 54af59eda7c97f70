// bench/files-entered/run.ts — counts the source files that a request enters. Run by `npm run files-entered`.
import { parseArgs } from 'node:util'
import { poll, sale, socketSale, wholeSale } from './counter.ts'
import { accessToken, challengedPayment, webhookDelivery } from './online.ts'
import type { RequestKind } from './request-kind.ts'
import { tablePayment } from './table.ts'
import { quiet, startWatchedGateway } from './watched-gateway.ts'

const KINDS: readonly RequestKind[] = [
  ...[sale, poll, accessToken, challengedPayment, webhookDelivery, socketSale, tablePayment, wholeSale],
]
const ROUNDS = 3

const HEADER = `Files under src of which a function ran on the main thread between a request and its answer.
The gateway runs from source as a fresh sandbox with the embedded store and is otherwise idle. Counted is the second
request of each kind, by the precise coverage of V8's profiler; the module level of a file does not count. A file counts
if it was entered in each of ${ROUNDS} runs, each with a gateway of its own, so that timers that fire by chance do not count.
"Runs" is what each run has entered.
`

const { values, positionals } = parseArgs({ options: { list: { type: 'string' } }, allowPositionals: true })
const wanted = values.list === undefined ? positionals : [values.list]
const kinds = KINDS.filter(({ name }) => wanted.length === 0 || wanted.includes(name))
const unknown = wanted.filter(name => KINDS.every(kind => kind.name !== name))
if (unknown.length > 0)
  throw new Error(`no such request: ${unknown.join(', ')}; there are ${KINDS.map(k => k.name).join(', ')}`)

const runs: ReadonlyMap<string, readonly string[]>[] = []
for (let round = 0; round < ROUNDS; round += 1) runs.push(await measureAll())
process.stdout.write(values.list === undefined ? tableOf(kinds) : `${inEachRun(values.list).join('\n')}\n`)

/** Runs each kind twice on one gateway; the second run counts. */
async function measureAll(): Promise<ReadonlyMap<string, readonly string[]>> {
  const gateway = await startWatchedGateway()
  const entered = new Map<string, readonly string[]>()
  try {
    for (const kind of kinds) {
      const measure = async (action: () => Promise<unknown>): Promise<void> => {
        await quiet()
        entered.set(kind.name, await gateway.filesEntered(action))
      }
      await kind.perform(gateway, async action => void (await action()))
      await kind.perform(gateway, measure)
    }
  } finally {
    await gateway.stop()
  }
  return entered
}

function inEachRun(name: string): readonly string[] {
  const [first = [], ...others] = runs.map(entered => entered.get(name) ?? [])
  return first.filter(file => others.every(files => files.includes(file)))
}

function tableOf(shown: readonly RequestKind[]): string {
  const rows = shown.map(({ name, window }) => {
    const counts = runs.map(entered => entered.get(name)?.length ?? 0)
    return `| ${name} | ${inEachRun(name).length} | ${counts.join(', ')} | ${window} |`
  })
  return [HEADER, '| Request | Files | Runs | From and to |', '|---|---|---|---|', ...rows, ''].join('\n')
}
