// test/unit/config/database-url.test.ts — DATABASE_URL: hosts, login, TLS, and what it refuses.
import { deepEqual, equal } from 'node:assert/strict'
import { describe, test } from 'vitest'
import { DATABASE_URL, withFiles } from '../../../src/config/database-url.ts'

const parse = (text: string) => DATABASE_URL.parse(text)

describe('DATABASE_URL', () => {
  test('names one host, with the usual port', () => {
    deepEqual(parse('postgres://tollgate:secret@localhost/payments'), {
      hosts: [{ host: 'localhost', port: 5432 }],
      user: 'tollgate',
      password: 'secret',
      database: 'payments',
      tls: null,
    })
  })

  test('names several hosts, which are tried in its order', () => {
    const { hosts } = parse('postgresql://u:p@a.example:5433,b.example,[fd00::1]:6000/d?sslmode=disable') ?? {}
    deepEqual(hosts, [
      { host: 'a.example', port: 5433 },
      { host: 'b.example', port: 5432 },
      { host: 'fd00::1', port: 6000 },
    ])
  })

  test('takes escaped characters in user, password and database', () => {
    const { user, password, database } = parse('postgres://u%40x:p%2F%3A:y@127.0.0.1/d%20e') ?? {}
    deepEqual([user, password, database], ['u@x', 'p/::y', 'd e'])
  })

  test('names the directory of a Unix socket', () => {
    deepEqual(parse('postgres://u@/d?host=/run/postgresql')?.hosts, [{ host: '/run/postgresql', port: 5432 }])
  })

  test.each([
    ['require', 'none'],
    ['verify-ca', 'ca'],
    ['verify-full', 'full'],
  ])('sslmode=%s checks %s of the certificate', (mode, verify) => {
    equal(parse(`postgres://u:p@db.example/d?sslmode=${mode}`)?.tls?.verify, verify)
  })

  test('checks the issuer when one is named, as libpq does', () => {
    const tls = parse('postgres://u:p@db.example/d?sslmode=require&sslrootcert=/etc/ca.pem')?.tls
    deepEqual(tls, { verify: 'ca', files: { sslrootcert: '/etc/ca.pem', sslcert: null, sslkey: null } })
  })

  test('reads the files that it names', () => {
    const url = parse('postgres://u:p@db.example/d?sslmode=verify-full&sslrootcert=ca&sslcert=cert&sslkey=key')
    const { tls } = withFiles(url!, (parameter, path) => Buffer.from(`${parameter} ${path}`))
    deepEqual(
      [tls?.verify, String(tls?.ca), String(tls?.cert), String(tls?.key)],
      ['full', 'sslrootcert ca', 'sslcert cert', 'sslkey key'],
    )
  })

  test.each([
    ['another database', 'mysql://u:p@localhost/d'],
    ['no user', 'postgres://localhost/d'],
    ['no database', 'postgres://u:p@localhost'],
    ['an empty database', 'postgres://u:p@localhost/'],
    ['no host', 'postgres://u:p@/d'],
    ['a port that is none', 'postgres://u:p@localhost:70000/d'],
    ['an empty host among others', 'postgres://u:p@localhost,,127.0.0.1/d'],
    ['more hosts than a cluster has', `postgres://u:p@${Array(9).fill('localhost').join()}/d`],
    ['a network without a word on TLS', 'postgres://u:p@db.example/d'],
    ['TLS that a man in the middle turns off', 'postgres://u:p@db.example/d?sslmode=prefer'],
    ['half a certificate', 'postgres://u:p@db.example/d?sslmode=require&sslcert=a'],
    ['an unknown parameter', 'postgres://u:p@localhost/d?sslmod=require'],
    ['a broken escape', 'postgres://u:%E0%A4%A@localhost/d'],
  ])('refuses %s', (_, text) => {
    equal(parse(text), undefined)
  })
})
