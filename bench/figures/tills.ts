// bench/figures/tills.ts — 10,000 tills that each poll a running sale once a second.
import { join } from 'node:path'
import { type Figure, plainRow, type Row } from '../figure.ts'
import { openLines } from '../load.ts'
import { latencyAt, type Paced, sendPaced } from '../paced.ts'
import { pollOf, startedSale } from '../requests.ts'
import { processorMs, startProgram } from '../server-process.ts'
import { prepareDirectory, terminalId } from '../terminals.ts'

const TILLS = { full: 10_000, quick: 2_000 }
/** Polled sales; each is polled on many connections. */
const SALES = 100
const SECONDS = { full: 20, quick: 5 }
/** Seconds of warm-up, until the code is optimised; not counted. */
const WARM_UP = 3

export const tills: Figure = {
  name: 'tills',
  conditions:
    `tills: each on a connection of its own, polling one of ${SALES} running sales once a second, spread evenly over the ` +
    'second; the program as it is shipped, log level info. A latency counts from the moment when the poll was due, so ' +
    'waiting to be sent is part of it.',
  async run({ quick, directory, say }) {
    const count = quick ? TILLS.quick : TILLS.full
    const dataDirectory = join(directory, 'tills')
    await prepareDirectory(dataDirectory, SALES)
    const gateway = await startProgram({ dataDirectory, environment: { TOLLGATE_PACE: '60000' } })
    const paths: string[] = []
    for (let sale = 0; sale < SALES; sale += 1) paths.push((await startedSale(gateway.port, terminalId(sale))).path)
    const requests = Array.from({ length: count }, (_, till) => pollOf(gateway.port, paths[till % SALES] ?? ''))
    say(`opening ${count.toLocaleString('en')} connections`)
    const lines = await openLines(gateway.port, count)
    const poll = (seconds: number) => sendPaced({ lines, next: till => requests[till] ?? '', status: 200, seconds })
    await poll(WARM_UP)
    const before = processorMs(gateway.pid)
    const seconds = quick ? SECONDS.quick : SECONDS.full
    const polls = await poll(seconds)
    const after = processorMs(gateway.pid)
    for (const { socket } of lines) socket.destroy()
    await gateway.stop()
    const busy =
      before === null || after === null ? '' : `; ${Math.round((after - before) / seconds / 10)} % of a processor`
    return [rowOf(count, polls, busy)]
  },
}

function rowOf(count: number, polls: Paced, busy: string): Row {
  const number = polls.latenciesMs.length.toLocaleString('en')
  const [half, most, all] = [0.5, 0.99, 1].map(part => latencyAt(polls, part))
  return plainRow(
    `${count.toLocaleString('en')} tills polling once a second`,
    `${polls.errors} errors, p99 ${most} ms`,
    `${number} polls, half of them within ${half} ms, the slowest ${all} ms${busy}`,
  )
}
