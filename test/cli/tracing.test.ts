// test/cli/tracing.test.ts — the program exports to an OTLP receiver when it is configured, and loads no library otherwise.
import { deepEqual, equal, ok } from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'vitest'
import { openOtlpReceiver } from '../support/otlp-receiver.ts'
import { builtProgram } from './built-program.ts'
import { emptyDirectory, run, serving, startSale } from './tollgate.ts'

const OTEL = { OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json', OTEL_EXPORTER_OTLP_HEADERS: 'x-key=hidden-from-all' }

test('a stop exports what still waits: a sale with the size of the group of its commit, and the metrics', async () => {
  const receiver = await openOtlpReceiver()
  const gateway = await serving(emptyDirectory(), { ...OTEL, OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url })
  await startSale(gateway.summary.url, '22160001')
  const { code, stderr } = await gateway.stop()
  equal(code, 0, stderr)
  const spans = receiver.spans()
  const request = spans.find(({ name }) => name === 'POST /pac/terminals/{tid}/transactions')
  const commit = spans.find(({ name, parentSpanId }) => name === 'commit' && parentSpanId === request?.spanId)
  ok(Number(commit?.attributes['tollgate.commit.group_size']) >= 1, JSON.stringify(spans))
  ok(receiver.received.every(({ headers }) => headers['x-key'] === 'hidden-from-all'))
  ok(receiver.received.some(({ path }) => path === '/v1/metrics'))
})

test('a receiver that hangs does not keep a stop waiting, nor make it fail', async () => {
  const receiver = await openOtlpReceiver()
  receiver.answer = 'hang'
  const gateway = await serving(emptyDirectory(), { ...OTEL, OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url })
  await startSale(gateway.summary.url, '22160001')
  const { code, stderr } = await gateway.stop()
  equal(code, 0, stderr)
})

test('nothing is exported when it is disabled', async () => {
  const receiver = await openOtlpReceiver()
  const env = { ...OTEL, OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, OTEL_SDK_DISABLED: 'true' }
  const gateway = await serving(emptyDirectory(), env)
  await startSale(gateway.summary.url, '22160001')
  equal((await gateway.stop()).code, 0)
  equal(receiver.received.length, 0)
})

test('the configuration shows the endpoint, and not the headers', async () => {
  const { stdout } = await run(['config'], { ...OTEL, OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' })
  ok(stdout.includes('http://collector:4318'))
  ok(/OTEL_EXPORTER_OTLP_HEADERS +\(set\)/.test(stdout), stdout)
  ok(!stdout.includes('hidden-from-all'))
})

test('the libraries are in files that only the export of traces and metrics loads', async () => {
  const main = await builtProgram()
  const telemetry = join(dirname(main), readdirSync(dirname(main)).find(name => /^telemetry-\w+\.js$/.test(name)) ?? '')
  // prom-client brings the interfaces (`api`), which do nothing by themselves.
  const holds = (file: string) => /\/\/ node_modules\/@opentelemetry\/(?!api\/)/.test(readFileSync(file, 'utf8'))
  const without = loadedBy(main, new Set([telemetry]))
  ok(without.size > 20, `${without.size} files`)
  deepEqual([...without].filter(holds), [])
  ok([...loadedBy(telemetry)].some(holds))
})

/** A built file and all that it loads, at once or late, without `but`. */
function loadedBy(file: string, but: ReadonlySet<string> = new Set(), found = new Set<string>()): ReadonlySet<string> {
  if (found.has(file) || but.has(file) || !existsSync(file)) return found
  found.add(file)
  for (const [, early, late] of readFileSync(file, 'utf8').matchAll(
    /^(?:import|export)\b[^"]*"(\.\/[^"]+)";$|\bimport\("(\.\/[^"]+)"\)/gm,
  ))
    loadedBy(join(dirname(file), early ?? late ?? ''), but, found)
  return found
}
