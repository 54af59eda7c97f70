// bench/at-rest.ts — memory at rest and with many running transactions, and the time from start to the first answer.
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { startGateway } from './figures.ts'
import { openLoad } from './load.ts'
import type { Row } from './report.ts'
import { askOnce, saleRequest } from './requests.ts'
import { median } from './rounds.ts'
import type { Plan } from './run.ts'
import { startProgram } from './server-process.ts'
import { prepareDirectory } from './terminals.ts'

const RUNNING = 10_000
const STARTS = 5

/** Resident memory of a fresh sandbox, and of one in which ten thousand sales were started. */
export async function memoryRows(plan: Plan): Promise<readonly Row[]> {
  const atRest = await residentAtRestMb(plan)
  const gateway = await startGateway(plan, RUNNING)
  try {
    const load = await openLoad(gateway.port, plan.connections)
    let index = 0
    const next = () => (index < RUNNING ? saleRequest(index++) : null)
    await load.run({ next, status: 201, limitMs: 120_000 })
    load.close()
    const running = residentMb(gateway.pid)
    if (atRest === null || running === null) return []
    const each = `${(((running - atRest) * 1_024) / RUNNING).toFixed(1)} kB each`
    return [
      { figure: 'Memory at rest', reached: atRest, unit: 'MB', bar: 120, goal: null, detail: 'resident' },
      {
        figure: `Memory with ${RUNNING} running transactions`,
        reached: running,
        unit: 'MB',
        bar: null,
        goal: null,
        detail: each,
      },
    ]
  } finally {
    await gateway.stop()
  }
}

/** From the command to the first accepted request, on a directory that is there. */
export async function startRow(plan: Plan): Promise<readonly Row[]> {
  const dataDirectory = plan.directory()
  mkdirSync(dataDirectory, { recursive: true })
  await prepareDirectory(dataDirectory, 10)
  const times: number[] = []
  for (let count = 0; count < STARTS; count += 1) {
    const startedAt = performance.now()
    const gateway = await startProgram({ dataDirectory, environment: {} })
    await askOnce(gateway.port, 'GET', '/pac/terminals')
    times.push(performance.now() - startedAt)
    await gateway.stop()
  }
  const figure = 'Start to first accepted request'
  return [{ figure, reached: median(times), unit: 'ms', bar: 1_000, goal: null, detail: `median of ${STARTS} starts` }]
}

async function residentAtRestMb(plan: Plan): Promise<number | null> {
  const gateway = await startGateway(plan, 0)
  try {
    await askOnce(gateway.port, 'GET', '/pac/terminals')
    return residentMb(gateway.pid)
  } finally {
    await gateway.stop()
  }
}

/** Resident memory of a process in megabytes; null where the system does not tell. */
function residentMb(pid: number): number | null {
  const file = `/proc/${pid}/status`
  const kilobytes = existsSync(file) ? /^VmRSS:\s+(\d+)/m.exec(readFileSync(file, 'utf8'))?.[1] : undefined
  return kilobytes === undefined ? null : Number(kilobytes) / 1_024
}
