// test/deploy/systemd.test.ts — systemd understands the unit and finds it confined; its settings are those of the program.
import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { emptyDirectory } from '../cli/tollgate.ts'
import { textOf } from './files.ts'

const UNIT = textOf('deploy/systemd/tollgate.service')
/** Highest exposure, of 100, that the unit may have by systemd's own count. */
const EXPOSURE = 20

const analyze = (...args: readonly string[]) => spawnSync('systemd-analyze', args, { encoding: 'utf8' })
const isInstalled = analyze('--version').status === 0

/** The unit as a file, with a program that exists on this machine. */
function unitFile(): string {
  const file = join(emptyDirectory(), 'tollgate.service')
  writeFileSync(file, UNIT.replace('/opt/tollgate/bin/tollgate', process.execPath))
  return file
}

test.runIf(isInstalled)('systemd reads every line of the unit', () => {
  const { status, stderr } = analyze('verify', '--man=no', unitFile())
  // It also says what it finds in units of the machine.
  deepEqual({ status, about: stderr.split('\n').filter(line => line.includes('tollgate')) }, { status: 0, about: [] })
})

test.runIf(isInstalled)('the unit is confined by the count of systemd', () => {
  const { status, stdout, stderr } = analyze('security', '--offline=true', `--threshold=${EXPOSURE}`, unitFile())
  equal(status, 0, stdout.split('\n').slice(-3).join('\n') + stderr)
})

test('systemd waits longer for the stop than the gateway', () => {
  const [, seconds] = /^TimeoutStopSec=(\d+)$/m.exec(UNIT) ?? []
  const result = readConfig({})
  ok('config' in result && Number(seconds) * 1_000 > result.config.shutdownLimitMs)
})

test('the settings are valid, but for the vault key that each operator makes', () => {
  const lines = textOf('deploy/systemd/tollgate.env')
    .split('\n')
    .filter(line => line !== '' && !line.startsWith('#'))
  const settings = Object.fromEntries(lines.map(line => line.split(/=(.*)/).slice(0, 2)))
  const fromUnit = Object.fromEntries(
    [...UNIT.matchAll(/^Environment=(\w+)=(.*)$/gm)].map(([, name = '', value = '']) => [
      name,
      value.replace('%S', '/var/lib'),
    ]),
  )
  const read: string[] = []
  const result = readConfig({ ...fromUnit, ...settings }, {}, undefined, path => {
    read.push(path)
    return Buffer.from(Buffer.alloc(32, 7).toString('base64'))
  })
  ok('config' in result, JSON.stringify(result))
  deepEqual(
    [result.config.mode, result.config.dataDirectory, read],
    ['live', '/var/lib/tollgate', ['/etc/tollgate/vault.key']],
  )
  match(textOf('docs/deploy.md'), /install -m 0640 -g tollgate \/dev\/stdin \/etc\/tollgate\/vault\.key/)
})
