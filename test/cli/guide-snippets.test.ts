// test/cli/guide-snippets.test.ts — every shell, JavaScript and JSON snippet of the guides works, or says why no test runs it.
import { deepEqual, doesNotMatch, equal, match, ok } from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { transform } from 'esbuild'
import { Compile } from 'typebox/schema'
import { describe, test } from 'vitest'
import { HOST_DOCUMENT } from '../../src/acquirers/iso8583/host-document.ts'
import { readStrictly } from '../../src/api/read/strict-document.ts'
import { createHostScenarios } from '../../src/peers/acquirer-host/scenario-queue.ts'
import { signedHeaders } from '../../src/services/webhooks/webhook-signature.ts'
import { nexoMake } from '../../src/terminals/nexo/settings.ts'
import { DIRECTORY_DOCUMENT } from '../../src/three-d-secure/emv/directory-document.ts'
import { REQUEST_DOCUMENT } from '../../src/three-d-secure/emv/request-document.ts'
import { readApplePay, readGooglePay } from '../../src/wallets/documents.ts'
import { IDENTITY_CERT, IDENTITY_KEY } from '../support/apple-gateway.ts'
import { GUIDES, type Snippet, snippetsOf } from '../support/guide-snippets.ts'
import { builtProgram } from './built-program.ts'
import { emptyDirectory, run, serving } from './tollgate.ts'

const MODULES = fileURLToPath(new URL('../../node_modules', import.meta.url))
const PROGRAM = await builtProgram()
const SNIPPETS = GUIDES.flatMap(snippetsOf)
const RUN = SNIPPETS.filter(({ notRun }) => notRun === null)
const SHELLS = ['bash', 'zsh'].filter(shell => spawnSync(shell, ['-c', ':']).error === undefined)
/** As the guides write the address of the gateway. */
const ADDRESS = '127.0.0.1:4020'

test('bash is here; zsh may be', () => {
  equal(SHELLS[0], 'bash')
})

test('a snippet that no test runs says why', () => {
  const marked = SNIPPETS.flatMap(({ at, notRun }) => (notRun === null ? [] : [`${at} ${notRun}`]))
  process.stdout.write(`Snippets that no test runs:\n${marked.join('\n')}\n`)
  ok(marked.length > 0)
  for (const reason of marked) match(reason, /\w+:\d+ \w.{15}/)
})

test('a shell snippet holds no comment, which an interactive zsh takes for words', () => {
  for (const { at, text } of of('sh')) doesNotMatch(text, /(^|\s)#/m, at)
})

describe.each(SHELLS)('under %s', shell => {
  // The guides sleep while their customers pay.
  for (const guide of GUIDES.filter(guide => stepsOf(guide).length > 0))
    test.concurrent(`the commands and programs of ${guide} run to their end`, { timeout: 180_000 }, async () => {
      const { code, said } = await runSession(shell, guide)
      equal(code, 0, `ended with ${code} in the last snippet named here:\n${said.slice(-3_000)}`)
      if (guide === 'docs/online-payments.md')
        match(
          said,
          /^\{"statusCode":0,"message":"AuthCode: \w+","authCode":"\w+"\}/m,
          'the answer that the guide shows',
        )
    })
})

test('JavaScript that is not saved as a program is correct', async () => {
  const parts = of('js').filter(({ savedAs }) => savedAs === null)
  ok(parts.length > 0)
  // A part of an object, or statements.
  for (const { at, text } of parts) {
    const code = /^\w+: /.test(text) ? `({ ${text} })` : text
    await transform(code, { format: 'esm' }).catch(error => Promise.reject(new Error(`${at}: ${error.message}`)))
  }
})

test('the receiver of the guide verifies a signature, and refuses a wrong one', () => {
  const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
  const body = '{"id":"q7Jt0s3V","orderId":"A-1001"}'
  const headers = signedHeaders({ id: 'msg_1', body }, [secret], Date.now())
  const [{ text } = { text: '' }] = of('js').filter(({ at }) => at.startsWith('docs/webhooks.md'))
  const verify = (bodyAsText: string): string => {
    const given = `const [secret, bodyAsText, request] = ${JSON.stringify([secret, bodyAsText, { headers }])}\n`
    const file = join(workFolder(), 'verify.mjs')
    writeFileSync(file, `${given}${text}\nconsole.log(message.orderId)`)
    const { status, stdout } = spawnSync(process.execPath, [file], { encoding: 'utf8' })
    return `${status} ${stdout.trim()}`
  }
  equal(verify(body), '0 A-1001')
  equal(verify(body.replace('A-', 'B-')), '1 ')
})

/** To which the guide adds members. */
const DIRECTORY = {
  ...{ name: 'scheme-test', versions: ['2.2.0'], preqUrls: ['https://ds.example/preq'] },
  tls: { clientCert: 'client.pem', clientKey: 'key.pem', serverCa: 'ca.pem' },
  ids: { refNumber: '3DS_LOA_SER_XXXX_020200_00000', operatorId: '10000001' },
}

const AT_THE_DIRECTORY = {
  ...{ account: 'harbour', requestorId: 'R-1', requestorName: 'Harbour', requestorUrl: 'https://harbour.example' },
  ...{ acquirerBin: '438309', acquirerMerchantId: '00002', merchantCategoryCode: '5812', country: '826' },
  merchantName: 'Harbour',
}

/** The same. */
const TERMINAL_IN_THE_CLOUD = {
  ...{ transport: 'cloud', poiId: 'V400m-123456789', environment: 'test' },
  ...{ merchantAccount: 'HarbourCafe', apiKey: 'AQExxxxxxx' },
}

/** Checks of JSON snippets, in the order of the guides. */
const DOCUMENTS: readonly [guide: string, check: (text: string) => unknown][] = [
  ['docs/3-d-secure.md', text => ok('value' in readStrictly(DIRECTORY_DOCUMENT, JSON.parse(text)))],
  ['docs/3-d-secure.md', checkDirectoryMembers],
  ['docs/3-d-secure.md', text => ok('value' in readStrictly(REQUEST_DOCUMENT, JSON.parse(text)))],
  ['docs/3-d-secure.md', checkDirectoryMembers],
  ['docs/3-d-secure.md', checkRequestorMembers],
  ['docs/3-d-secure.md', checkRequestorMembers],
  ['docs/iso8583.md', text => ok('value' in readStrictly(HOST_DOCUMENT, JSON.parse(text)))],
  ['docs/online-payments.md', text => deepEqual(Object.keys(JSON.parse(text)), ['statusCode', 'message', 'authCode'])],
  ['docs/operations.md', text => ok('recipient' in readGooglePay(withKeys(text)))],
  ['docs/operations.md', text => ok('sheet' in readGooglePay(withKeys(text)))],
  ['docs/operations.md', text => ok('merchants' in readApplePay(withKeys(text)))],
  ['docs/operations.md', text => ok('merchants' in readApplePay(withKeys(text)))],
  ['docs/scenarios.md', checkScenario],
  ['docs/simulate.md', text => equal(createHostScenarios().set(JSON.parse(text)), null)],
  ['docs/terminals-nexo.md', checkNexoSettings],
  ['docs/terminals-nexo.md', checkNexoSettings],
  [
    'docs/terminals-nexo.md',
    text => checkNexoSettings(JSON.stringify({ ...TERMINAL_IN_THE_CLOUD, ...JSON.parse(text) })),
  ],
]

test('JSON is read by what it is written for', async () => {
  const documents = of('json')
  deepEqual(
    documents.map(({ at }) => at.split(':')[0]),
    DOCUMENTS.map(([guide]) => guide),
  )
  for (const [index, { text }] of documents.entries()) await DOCUMENTS[index]?.[1](text)
})

function checkDirectoryMembers(text: string): void {
  ok('value' in readStrictly(DIRECTORY_DOCUMENT, { ...DIRECTORY, ...JSON.parse(text) }))
}

interface WalletDocument {
  readonly rootSigningKeys?: { readonly keys: readonly object[] }
  readonly merchants?: readonly object[]
  readonly identity?: object
}

/** Puts keys where a wallet document of the guide has dots, and adds what it leaves out. */
function withKeys(text: string): string {
  const document = JSON.parse(text) as WalletDocument
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const privateKeys = [privateKey.export({ type: 'pkcs8', format: 'pem' })]
  const keyValue = publicKey.export({ type: 'spki', format: 'der' }).toString('base64')
  const root = { protocolVersion: 'ECv2', ...document.rootSigningKeys?.keys[0] }
  const identity = document.identity && { ...document.identity, certificate: IDENTITY_CERT, privateKey: IDENTITY_KEY }
  const merchant = { merchantIdentifier: 'merchant.example', ...document.merchants?.[0] }
  return JSON.stringify({
    gatewayId: 'tollgate',
    ...document,
    ...{ privateKeys, rootSigningKeys: { keys: [{ ...root, keyValue, keyExpiration: '2154841200000' }] } },
    ...{ rootCertificate: IDENTITY_CERT, merchants: [{ ...merchant, privateKeys, ...(identity && { identity }) }] },
  })
}

async function checkScenario(text: string): Promise<void> {
  const file = join(emptyDirectory(), 'scenario.json')
  writeFileSync(file, text)
  const { code, stdout, stderr } = await run(['scenarios', 'check', file])
  equal(code, 0, stdout + stderr)
}

/** The driver chooses its schema by what is given. A key is shortened in the guide. */
function checkNexoSettings(text: string): void {
  const given = JSON.parse(text.replace('…', 'x'.repeat(20))) as Readonly<Record<string, unknown>>
  const { settings } = nexoMake('sandbox')
  const schema = typeof settings === 'function' ? settings(given) : settings
  ok(schema !== undefined && Compile(schema).Check(given), text)
}

function of(language: string): readonly Snippet[] {
  return RUN.filter(snippet => snippet.language === language)
}

/** What a session executes: shell snippets, and programs that no later shell snippet starts. */
function stepsOf(guide: string): readonly { readonly at: string; readonly command: string }[] {
  const own = RUN.filter(({ at }) => at.startsWith(`${guide}:`))
  return own.flatMap(({ at, language, text, savedAs }) => {
    if (language === 'sh') return { at, command: text }
    const started = own.some(other => other.language === 'sh' && savedAs !== null && other.text.includes(savedAs))
    return savedAs === null || started ? [] : { at, command: `node ${savedAs}\n` }
  })
}

/** Runs a guide in one shell against a sandbox of its own, in an empty home. Ends at the first command that fails. */
async function runSession(
  shell: string,
  guide: string,
): Promise<{ readonly code: number | null; readonly said: string }> {
  const data = emptyDirectory()
  const { summary } = await serving(data, { TOLLGATE_PACE: '500' })
  const { host, port } = new URL(summary.url)
  const here = (text: string): string => text.replaceAll(ADDRESS, host)
  const folder = workFolder()
  for (const { at, text, savedAs } of RUN)
    if (savedAs !== null && at.startsWith(`${guide}:`)) writeFileSync(join(folder, savedAs), here(text))
  const steps = stepsOf(guide).map(({ at, command }) => `echo '@@ ${at}'\n${here(command)}`)
  const script = join(folder, 'session')
  writeFileSync(script, `set -e -o pipefail\n${steps.join('\n')}`)
  const child = spawn(shell, [script], {
    cwd: folder,
    env: {
      ...{ PATH: `${commandsIn(folder)}:${process.env['PATH']}`, HOME: folder, TMPDIR: folder, LC_ALL: 'C.UTF-8' },
      ...{ GATEWAY_URL: summary.url, TOLLGATE_DATA: data, PORT: port },
    },
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', text => (said += text))
  const [code] = await once(child, 'close')
  return { code, said }
}

/** An empty folder with the packages of the project. */
function workFolder(): string {
  const folder = emptyDirectory()
  symlinkSync(MODULES, join(folder, 'node_modules'))
  return folder
}

/**
 * Commands that the guides use, as the session needs them. `curl` fails when the gateway refuses; `npx tollgate` is the program
 * under test, without npm; `jq` reads one member where the machine has no jq.
 */
function commandsIn(folder: string): string {
  const bin = join(folder, 'bin')
  mkdirSync(bin)
  const command = (name: string, text: string): void => {
    writeFileSync(join(bin, name), `#!/bin/sh\n${text}\n`)
    chmodSync(join(bin, name), 0o755)
  }
  command('curl', `exec ${pathOf('curl')} --fail-with-body "$@"`)
  command('npx', `test "$1" = tollgate || exit 64\nshift\n${RUN_PROGRAM}`)
  if (pathOf('jq') === '')
    command('jq', `exec '${process.execPath}' -p 'JSON.parse(require("fs").readFileSync(0, "utf8"))'"$2"`)
  return bin
}

/** A sale that a guide lets end without success is no failure of the guide. */
const RUN_PROGRAM = `test "$1" = sale || exec '${process.execPath}' '${PROGRAM}' "$@"
said=$('${process.execPath}' '${PROGRAM}' "$@")
code=$?
echo "$said"
case "$said" in *DECLINED*|*UNSUCCESSFUL*) exit 0; esac
exit $code`

function pathOf(name: string): string {
  return spawnSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).stdout.trim()
}

/** Members of an account at a directory server. */
function checkRequestorMembers(text: string): void {
  checkDirectoryMembers(JSON.stringify({ requestors: [{ ...AT_THE_DIRECTORY, ...JSON.parse(text) }] }))
}
