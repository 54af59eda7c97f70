// bench/figures/tills.ts — 10,000 tills that each poll a running sale once a second.
import { join } from 'node:path'
import { type Figure, plainRow, type Row } from '../figure.ts'
import { openLines } from '../load.ts'
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
    await pollEach(lines, requests, WARM_UP)
    const before = processorMs(gateway.pid)
    const seconds = quick ? SECONDS.quick : SECONDS.full
    const polls = await pollEach(lines, requests, seconds)
    const after = processorMs(gateway.pid)
    for (const { socket } of lines) socket.destroy()
    await gateway.stop()
    const busy =
      before === null || after === null ? '' : `; ${Math.round((after - before) / seconds / 10)} % of a processor`
    return [rowOf(count, polls, busy)]
  },
}

type Lines = Awaited<ReturnType<typeof openLines>>

interface Polls {
  readonly latenciesMs: readonly number[]
  readonly errors: number
}

/** Polls on each connection once a second and waits for the last answer. */
async function pollEach(lines: Lines, requests: readonly string[], seconds: number): Promise<Polls> {
  const latenciesMs: number[] = []
  const total = lines.length * seconds
  let errors = 0
  let answered = 0
  const startedAt = performance.now()
  const dueAt = (number: number): number => startedAt + (number / lines.length) * 1_000
  const waiting = lines.map(() => [] as number[])
  return new Promise(resolve => {
    const over = (): void => {
      answered += 1
      if (answered === total) resolve({ latenciesMs, errors })
    }
    for (const [index, line] of lines.entries()) {
      line.onAnswer = status => {
        latenciesMs.push(performance.now() - (waiting[index]?.shift() ?? Number.NaN))
        if (status !== 200) errors += 1
        over()
      }
      line.socket.once('close', () => {
        const lost = waiting[index]?.splice(0) ?? []
        errors += lost.length
        for (const _ of lost) over()
      })
    }
    let sent = 0
    const turn = (): void => {
      for (; sent < total && dueAt(sent) <= performance.now(); sent += 1) {
        const till = sent % lines.length
        waiting[till]?.push(dueAt(sent))
        lines[till]?.socket.write(requests[till] ?? '', 'latin1')
      }
      if (sent < total) setTimeout(turn, 1)
    }
    turn()
  })
}

function rowOf(count: number, { latenciesMs, errors }: Polls, busy: string): Row {
  const sorted = latenciesMs.toSorted((one, other) => one - other)
  const at = (part: number): string => (sorted[Math.ceil(sorted.length * part) - 1] ?? Number.NaN).toFixed(1)
  return plainRow(
    `${count.toLocaleString('en')} tills polling once a second`,
    `${errors} errors, p99 ${at(0.99)} ms`,
    `${sorted.length.toLocaleString('en')} polls, half of them within ${at(0.5)} ms, the slowest ${at(1)} ms${busy}`,
  )
}
