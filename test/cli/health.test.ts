// test/cli/health.test.ts — `tollgate health` says by its exit code whether the gateway of a directory takes work.
import { deepEqual, equal, match } from 'node:assert/strict'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'vitest'
import { OTHER_CERT, OTHER_KEY } from '../support/tls.ts'
import { emptyDirectory, run, runJson, serving } from './tollgate.ts'

const health = (data: string, ...options: readonly string[]) => run(['health', '--data', data, ...options])

test.concurrent('a gateway that is ready, and one that has ended', async () => {
  const data = emptyDirectory()
  const gateway = await serving(data)
  const { url } = gateway.summary
  deepEqual(await runJson(['health', '--data', data]), { status: 'ready', listening: url })
  const live = await health(data, '--probe', 'live')
  deepEqual([live.code, live.stdout], [0, `The gateway at ${url} is live.\n`])
  gateway.child.kill('SIGKILL')
  await gateway.ended
  const dead = await health(data)
  deepEqual([dead.code, dead.stdout, dead.stderr], [1, '', `tollgate: The gateway does not answer at ${url}.\n`])
})

test.concurrent('a gateway that lives and cannot work', async () => {
  const data = emptyDirectory()
  await serving(data)
  rmSync(join(data, 'tollgate.db'))
  equal((await health(data, '--probe', 'live')).code, 0)
  const { code, stderr } = await health(data)
  equal(code, 1)
  match(stderr, /^tollgate: The gateway at \S+ is not ready \(503 .*was removed or replaced while the gateway runs/)
})

test.concurrent('a gateway with a certificate for another name', async () => {
  const data = emptyDirectory()
  const [cert, key] = [join(data, 'cert.pem'), join(data, 'key.pem')]
  writeFileSync(cert, OTHER_CERT)
  writeFileSync(key, OTHER_KEY, { mode: 0o600 })
  await serving(data, { TOLLGATE_TLS_CERT: cert, TOLLGATE_TLS_KEY: key })
  equal((await health(data)).code, 0)
})

test.concurrent('a directory without a gateway', async () => {
  const { code, stderr } = await health(emptyDirectory())
  equal(code, 1)
  match(stderr, /^tollgate: No gateway on \S+ has said where it listens\.\n$/)
})
