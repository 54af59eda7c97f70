// test/cli/serve.test.ts — the gateway as a process: start, reasons not to start, stop.
import { deepEqual, doesNotMatch, equal, match, ok } from 'node:assert/strict'
import { once } from 'node:events'
import { renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { connect as tlsConnect } from 'node:tls'
import Database from 'better-sqlite3'
import { describe, test } from 'vitest'
import { OTHER_CERT, OTHER_KEY, TEST_CERT, TEST_KEY } from '../support/tls.ts'
import { begin, call, type Env, emptyDirectory, run, runJson, serving, startSale } from './tollgate.ts'

/** A terminal without a script: a sale on it goes on until a key is pressed or it is cancelled. */
const PATIENT = '22160001'

/** Starts a gateway that must not start, and returns its one-sentence error. */
async function sentenceOf(data: string, env: Env = {}): Promise<string> {
  const { code, stdout, stderr } = await run(['serve', '--data', data], env)
  deepEqual({ code, stdout }, { code: 1, stdout: '' })
  match(stderr, /^tollgate: .*\.\n$/)
  equal(stderr.trim().split('\n').length, 1, stderr)
  return stderr
}

describe('the reason why a gateway does not start is one sentence', () => {
  test.concurrent('a port in use', async ({ onTestFinished }) => {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    onTestFinished(() => void server.close())
    const { port } = server.address() as { readonly port: number }
    match(await sentenceOf(emptyDirectory(), { PORT: String(port) }), /Port \d+ on 127\.0\.0\.1 is in use;/)
  })

  test.concurrent('a host of another machine', async () => {
    match(await sentenceOf(emptyDirectory(), { HOST: '192.0.2.1' }), /192\.0\.2\.1 is not an address of this machine;/)
  })

  test.concurrent('a data directory that cannot be created', async () => {
    const file = join(emptyDirectory(), 'file')
    writeFileSync(file, '')
    match(await sentenceOf(join(file, 'data')), /cannot be written; check that its directory/)
  })

  test.concurrent('a data directory below a link to nothing', async () => {
    const link = join(emptyDirectory(), 'link')
    symlinkSync('nowhere', link)
    match(await sentenceOf(join(link, 'data')), /link is a symbolic link to nothing; create what it points to/)
  })

  for (const [name, spoil] of [
    ['missing', (file: string) => rmSync(file)],
    ['empty', (file: string) => writeFileSync(file, '')],
  ] as const)
    test.concurrent(`a database that is ${name} in a directory that has been in use`, async () => {
      const data = emptyDirectory()
      await (await serving(data)).stop()
      for (const extra of ['-wal', '-shm']) rmSync(join(data, `tollgate.db${extra}`), { force: true })
      spoil(join(data, 'tollgate.db'))
      const expected = new RegExp(`tollgate\\.db is ${name}, although this directory has been in use; restore it`)
      match(await sentenceOf(data), expected)
      const { code, stderr } = await run(['accounts', 'create', 'harbour', '--data', data, '--name', 'Harbour'])
      equal(code, 1)
      match(stderr, expected)
      match(
        (await run(['doctor', '--data', data])).stdout,
        /PROBLEM {2}database: .*although this directory has been in use/,
      )
      rmSync(join(data, 'mode'))
      await (await serving(data)).stop()
    })

  for (const [name, text] of [
    ['empty', ''],
    ['damaged', 'lvie'],
  ] as const)
    test.concurrent(`a mode file that is ${name}`, async () => {
      const data = emptyDirectory()
      await (await serving(data)).stop()
      writeFileSync(join(data, 'mode'), text)
      match(await sentenceOf(data), new RegExp(`mode must name the mode of this directory and is ${name}; write`))
    })

  test.concurrent('too few file descriptors', async () => {
    const limited = begin(['serve', '--data', emptyDirectory()], {}, ['sh', '-c', 'ulimit -n 100 && exec "$@"', 'sh'])
    const { code, stderr } = await limited.ended
    equal(code, 1)
    match(
      stderr,
      /^tollgate: This process may open 100 files and connections, .* raise the limit with `ulimit -n 4096`/,
    )
  })

  test.concurrent('a file that is not a database', async () => {
    const data = emptyDirectory()
    writeFileSync(join(data, 'tollgate.db'), 'This is a letter to somebody, and no database at all.'.repeat(100))
    match(await sentenceOf(data), /is damaged or not a Tollgate database;/)
  })

  test.concurrent('a database of a newer program', async () => {
    const data = emptyDirectory()
    await runJson(['accounts', 'create', 'harbour', '--data', data, '--name', 'Harbour Café'])
    const database = new Database(join(data, 'tollgate.db'))
    database.prepare('INSERT INTO migrations (number, name) VALUES (?, ?)').run(99, 'later')
    database.close()
    match(await sentenceOf(data), /was written by a newer Tollgate;/)
  })

  test.concurrent('another gateway on the same data, until it has ended, even by kill -9', async () => {
    const data = emptyDirectory()
    const first = await serving(data)
    match(await sentenceOf(data), /is in use by another running gateway;/)
    first.child.kill('SIGKILL')
    await first.ended
    const second = await serving(data)
    equal((await second.stop()).code, 0)
  })

  test.concurrent('an invalid setting', async () => {
    match(await sentenceOf(emptyDirectory(), { TOLLGATE_PACE: 'slow' }), /TOLLGATE_PACE must be a whole number/)
  })
})

describe('a start', () => {
  test.concurrent('prints its address, its credentials, and an example command that works', async () => {
    const gateway = begin(['serve', '--data', emptyDirectory()])
    const [, url] = await gateway.printed(/Tollgate is ready at (\S+)/)
    const [, body = '', address = ''] = await gateway.printed(/^ {2}curl -u till:demo-api-key .* -d '(.*)' '(\S+)'$/m)
    await gateway.printed(/^ {2}docs {7}http.*\/docs$/m)
    await gateway.printed(/^ {2}account {4}demo-eur \(EUR\), API key demo-eur-api-key$/m)
    await gateway.printed(/^ {2}terminals {2}VCMDEMOSIP0 .*22160001 22160002$/m)
    await gateway.printed(/^ {2}merchant {3}shop\.example$/m)
    await gateway.printed(/^ {2}JWT {8}[\w-]+\.[\w-]+\.[\w-]+$/m)
    ok(address.startsWith(`${url}/pac/terminals/`))
    equal((await call(address, { method: 'POST', body })).status, 201)
    gateway.child.kill('SIGTERM')
    equal((await gateway.ended).code, 0)
  })

  test.concurrent('on existing data keeps all of it, and prints the same', async () => {
    const data = emptyDirectory()
    const env = { TOLLGATE_PUBLIC_URL: 'https://pay.example' }
    const first = await serving(data, env)
    const [, before = ''] = await first.printed(/"listening":"([^"]+)"/)
    const { pathname } = new URL(await startSale(before, 'VCMDEMOSIP0'))
    equal(await resultOf(`${before}${pathname}`), 'SUCCESSFUL')
    await first.stop()
    const second = await serving(data, env)
    deepEqual(second.summary, first.summary)
    const [, after = ''] = await second.printed(/"listening":"([^"]+)"/)
    equal(await resultOf(`${after}${pathname}`), 'SUCCESSFUL')
    await second.stop()
  })

  test.concurrent('resumes the running transactions', async () => {
    const data = emptyDirectory()
    const first = await serving(data)
    const { pathname } = new URL(await startSale(first.summary.url, PATIENT))
    first.child.kill('SIGKILL')
    await first.ended
    const second = await serving(data)
    const location = `${second.summary.url}${pathname}`
    equal((await call(location, { method: 'DELETE' })).status, 202)
    equal(await resultOf(location), 'CANCELLED')
    await second.stop()
  })
})

describe('a gateway that is stopped', () => {
  test.concurrent('answers pending requests and exits with 0', async () => {
    const gateway = await serving()
    const { url } = gateway.summary
    const location = await startSale(url, PATIENT)
    const { tag } = await seen(location, ({ notifications }) => notifications[0] === 'PRESENT_CARD')
    const waiting = await sendHead(url, [
      `GET ${new URL(location).pathname} HTTP/1.1`,
      'Prefer: wait=60',
      `If-None-Match: ${tag}`,
    ])
    const { code, stderr } = await gateway.stop()
    equal(code, 0)
    match(stderr, /"msg":"gateway stopped"/)
    match(await waiting.answer, /^HTTP\/1\.1 (200|304) /m)
  })

  test.concurrent('serves requests for a while longer, and says that it is not ready', async () => {
    const gateway = await serving(undefined, { TOLLGATE_DRAIN_MS: '3000' })
    const { url } = gateway.summary
    equal((await fetch(`${url}/health/ready`)).status, 200)
    const stopped = gateway.stop()
    await gateway.printed(/"msg":"gateway stopping"/)
    const ready = await fetch(`${url}/health/ready`)
    equal(ready.status, 503)
    match(await ready.text(), /The gateway is stopping/)
    match(await startSale(url, PATIENT), /transactions/)
    equal((await stopped).code, 0)
  })

  test.concurrent('takes no longer than its limit', async () => {
    const gateway = await serving(undefined, { TOLLGATE_SHUTDOWN_MS: '200' })
    await unfinishedRequest(gateway.summary.url)
    const { code, stderr } = await gateway.stop()
    equal(code, 1)
    match(stderr, /tollgate: Requests were still running after 200 ms \(TOLLGATE_SHUTDOWN_MS\)/)
  })

  test.concurrent('ends at once at the second signal', async () => {
    const gateway = await serving()
    await unfinishedRequest(gateway.summary.url)
    gateway.child.kill('SIGTERM')
    await gateway.printed(/"msg":"gateway stopping"/)
    equal((await gateway.stop()).code, 143)
  })
})

test.concurrent('revoking a key takes effect on the running gateway', async () => {
  const data = emptyDirectory()
  const { summary, stop } = await serving(data)
  const made = await runJson<{ key: { id: string }; apiKey: string }>(['keys', 'create', 'demo', '--data', data])
  const status = async () => (await call(`${summary.url}/pac/terminals`, {}, made.apiKey)).status
  equal(await status(), 200)
  equal((await run(['keys', 'revoke', 'demo', made.key.id, '--data', data])).code, 0)
  const revokedAt = performance.now()
  while ((await status()) !== 401) ok(performance.now() - revokedAt < 3_000, 'it was still taken after three seconds')
  await stop()
})

test.concurrent('a gateway whose database was removed says that it is not ready', async () => {
  const data = emptyDirectory()
  const { summary, stop } = await serving(data)
  equal((await call(`${summary.url}/health/ready`)).status, 200)
  const file = join(data, 'tollgate.db')
  renameSync(file, `${file}.gone`)
  const answer = await call(`${summary.url}/health/ready`)
  equal(answer.status, 503)
  match(await answer.text(), /tollgate\.db was removed or replaced while the gateway runs; stop it now/)
  renameSync(`${file}.gone`, file)
  equal((await call(`${summary.url}/health/ready`)).status, 200)
  await stop()
})

test.concurrent('a closed terminal window ends it as Ctrl-C does', async () => {
  const gateway = await serving()
  gateway.child.kill('SIGHUP')
  const { code, stderr } = await gateway.ended
  equal(code, 0)
  match(stderr, /"signal":"SIGHUP","msg":"gateway stopping"/)
})

test.concurrent('renewed TLS files are taken up, and files that do not fit together are not', async () => {
  const data = emptyDirectory()
  const files = { TOLLGATE_TLS_CERT: join(data, 'cert.pem'), TOLLGATE_TLS_KEY: join(data, 'key.pem') }
  writeFileSync(files.TOLLGATE_TLS_CERT, TEST_CERT)
  writeFileSync(files.TOLLGATE_TLS_KEY, TEST_KEY)
  const gateway = await serving(data, files)
  const { port } = new URL(gateway.summary.url)
  const presented = async () => {
    const socket = tlsConnect({ port: Number(port), host: '127.0.0.1', rejectUnauthorized: false })
    await once(socket, 'secureConnect')
    const { subject } = socket.getPeerCertificate()
    socket.destroy()
    return subject.CN
  }
  equal(await presented(), 'localhost')
  writeFileSync(files.TOLLGATE_TLS_CERT, OTHER_CERT)
  await gateway.printed(/TLS reload failed; the previous certificate stays in use/)
  equal(await presented(), 'localhost')
  writeFileSync(files.TOLLGATE_TLS_KEY, OTHER_KEY)
  await gateway.printed(/TLS certificate reloaded/)
  equal(await presented(), 'pay.example')
  await gateway.stop()
})

test.concurrent('a stream of events shows what the command line changes beside the gateway', async () => {
  const data = emptyDirectory()
  const { summary, stop } = await serving(data)
  const abort = new AbortController()
  const listen = { headers: { accept: 'text/event-stream' }, signal: abort.signal }
  const response = await call(`${summary.url}/api/events`, listen)
  equal(response.status, 200)
  const made = await runJson<{ key: { id: string } }>(['keys', 'create', 'demo', '--data', data])
  let text = ''
  for await (const chunk of response.body!) {
    text += Buffer.from(chunk).toString()
    if (text.includes(made.key.id)) break
  }
  abort.abort()
  match(text, /^event: api-key\.created$/m)
  doesNotMatch(text, /^: alive$/m, 'the stream was woken, and did not find it at its next sign of life')
  await stop()
})

test.concurrent('a gateway whose lock file was deleted stops after another has started', async () => {
  const data = emptyDirectory()
  const first = await serving(data)
  rmSync(join(data, 'tollgate.lock'))
  const second = await serving(data)
  // The answer of the acquirer is the outcome of an effect.
  await startSale(first.summary.url, 'VCMDEMOSIP0')
  const { code, stderr } = await first.ended
  equal(code, 1)
  match(stderr, /is in use by another running gateway/)
  await second.stop()
})

interface Seen {
  readonly notifications: readonly string[]
  readonly transactionResult?: string
}

/** A transaction and its ETag, once `isReached` holds. */
async function seen(location: string, isReached: (body: Seen) => boolean): Promise<{ body: Seen; tag: string }> {
  for (let tag = ''; ; ) {
    const answer = await call(location, { headers: { prefer: 'wait=20', 'if-none-match': tag } })
    if (answer.status === 304) continue
    const body = (await answer.json()) as Seen
    tag = answer.headers.get('etag') ?? ''
    if (isReached(body)) return { body, tag }
  }
}

/** The result of a transaction, once it has one. */
async function resultOf(location: string): Promise<string | undefined> {
  const { body } = await seen(location, ({ transactionResult }) => transactionResult !== undefined)
  return body.transactionResult
}

/** Sends the head of a request. Resolves once the gateway has accepted it; `answer`: everything received after that. */
async function sendHead(url: string, lines: readonly string[]) {
  const { host, hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname).setEncoding('utf8')
  socket.on('error', () => {})
  const credentials = Buffer.from('till:demo-api-key').toString('base64')
  const [first, ...others] = lines
  const common = [`Host: ${host}`, `Authorization: Basic ${credentials}`, 'Expect: 100-continue']
  socket.write([first, ...common, ...others, '', ''].join('\r\n'))
  const [told] = await once(socket, 'data')
  match(String(told), /^HTTP\/1\.1 100 /)
  let text = ''
  socket.on('data', part => {
    text += part
  })
  return { socket, answer: once(socket, 'close').then(() => text) }
}

/** Sends an incomplete request. */
async function unfinishedRequest(url: string): Promise<void> {
  const head = [`POST /pac/terminals/${PATIENT}/transactions HTTP/1.1`, 'Content-Type: application/json']
  const { socket } = await sendHead(url, [...head, 'Content-Length: 100'])
  socket.write('{')
}

describe('a gateway keeps running when its output cannot be written', () => {
  /** Number of dropped log lines, from /metrics. */
  async function droppedLines(url: string): Promise<number> {
    const figures = await (await fetch(`${url}/metrics`)).text()
    return Number(/^tollgate_log_lines_dropped_total (\d+)$/m.exec(figures)?.[1])
  }

  test.concurrent('the readers of log and output are gone', async () => {
    const { child, summary, stop } = await serving()
    equal(await droppedLines(summary.url), 0)
    child.stderr.destroy()
    child.stdout.destroy()
    for (let sales = 0; sales < 3; sales += 1) {
      const sale = await startSale(summary.url, 'VCMDEMOSIP0')
      await seen(sale, ({ transactionResult }) => transactionResult === 'SUCCESSFUL')
    }
    ok((await droppedLines(summary.url)) > 0)
    equal((await stop()).code, 0)
  })

  test.concurrent('the disk of the log is full', async () => {
    const running = begin(['serve', '--json', '--data', emptyDirectory()], {}, [
      'sh',
      '-c',
      'exec "$@" 2>/dev/full',
      'sh',
    ])
    const [line] = await running.printed(/^\{"url".*\}$/m)
    const { url } = JSON.parse(line) as { readonly url: string }
    // More lines than the buffer holds while the disk is full.
    for (let sales = 0; sales < 60; sales += 1) {
      const sale = await startSale(url, 'VCMDEMOSIP0')
      await seen(sale, ({ transactionResult }) => transactionResult === 'SUCCESSFUL')
    }
    ok((await droppedLines(url)) > 0)
    running.child.kill('SIGTERM')
    equal((await running.ended).code, 0)
  })

  test.concurrent('the summary has no reader', async () => {
    const launcher = ['bash', '-c', 'exec "$@" > >(exec true)', 'bash']
    const running = begin(['serve', '--json', '--data', emptyDirectory()], {}, launcher)
    const [, port] = await running.printed(/"listening":.*?(\d+)[^\d]*"msg":"gateway started"/)
    equal((await call(`http://127.0.0.1:${port}/pac/terminals`)).status, 200)
    running.child.kill('SIGTERM')
    equal((await running.ended).code, 0)
  })
})
