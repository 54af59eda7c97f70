// test/deploy/container.test.ts — the Containerfile is valid, and its image runs as a plain user with nothing to build with.
import { deepEqual, match, ok } from 'node:assert/strict'
import { DockerfileParser } from 'dockerfile-ast'
import { validate } from 'dockerfile-utils'
import { test } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { textOf, VERSION } from './files.ts'

const TEXT = textOf('deploy/Containerfile')
const FILE = DockerfileParser.parse(TEXT)
const INSTRUCTIONS = FILE.getInstructions().map(instruction => ({
  keyword: instruction.getKeyword(),
  content: instruction.getArgumentsContent() ?? '',
}))
const LAST_STAGE = INSTRUCTIONS.slice(INSTRUCTIONS.findLastIndex(({ keyword }) => keyword === 'FROM'))
const contentsOf = (keyword: string) =>
  LAST_STAGE.filter(each => each.keyword === keyword).map(({ content }) => content)

test('the linter finds nothing', () => {
  deepEqual(
    validate(TEXT).map(({ message, range }) => `${range.start.line + 1}: ${message}`),
    [],
  )
  ok(validate('FROM debian\nRUNN true').length > 0)
})

test('bases are named by a tag that is not latest', () => {
  const bases = INSTRUCTIONS.filter(({ keyword }) => keyword === 'FROM').map(({ content }) => content)
  deepEqual(bases, ['docker.io/library/node:24-bookworm AS build', 'docker.io/library/debian:bookworm-slim'])
})

test('the last stage has Node.js and the program, and a user without rights', () => {
  const [, lastStage = ''] = TEXT.split(/^FROM .*slim$/m)
  deepEqual(lastStage.match(/(?<=^COPY ).*$/gm), [
    '--from=build /usr/local/bin/node /usr/local/bin/node',
    '--from=build /opt/tollgate /opt/tollgate',
  ])
  ok(!contentsOf('RUN').some(content => /\b(npm|apt|apt-get|curl|wget)\b/.test(content)))
  deepEqual(contentsOf('USER'), ['10001:10001'])
  match(contentsOf('RUN').join(), /--gid 10001 tollgate.*--uid 10001 --gid 10001/s)
})

test('its settings are valid', () => {
  const settings = Object.fromEntries(
    [
      ...contentsOf('ENV')
        .join(' ')
        .matchAll(/(\w+)=(\S+)/g),
    ].map(([, name = '', value = '']) => [name, value]),
  )
  const result = readConfig(settings)
  ok('config' in result, JSON.stringify(result))
  deepEqual(
    [result.config.host, result.config.port, result.config.dataDirectory],
    ['0.0.0.0', 4020, '/var/lib/tollgate'],
  )
  deepEqual(
    [contentsOf('EXPOSE'), contentsOf('VOLUME'), contentsOf('WORKDIR')],
    [['4020'], ['/var/lib/tollgate'], ['/var/lib/tollgate']],
  )
})

test('the tag of the image is the version of the package, everywhere', () => {
  for (const path of ['deploy/Containerfile', 'deploy/kubernetes/tollgate.yaml', 'deploy/kubernetes/nodes.yaml']) {
    const tags = [...textOf(path).matchAll(/\btollgate:(\d[\w.-]*\w)/g)].map(([, tag]) => tag)
    ok(tags.length > 0, path)
    deepEqual(new Set(tags), new Set([VERSION]), path)
  }
})

test('the health check is a command of the program', () => {
  const [check = ''] = contentsOf('HEALTHCHECK')
  match(check, /CMD \["tollgate", "health"\]$/)
})
