// test/unit/web/console-people.test.ts — what the console says of sessions.
import { equal } from 'node:assert/strict'
import { test } from 'vitest'
import { browserIn } from '../../../web/console/people/browser-name.ts'

const WEBKIT = 'AppleWebKit/537.36 (KHTML, like Gecko)'

test.each([
  [`Mozilla/5.0 (X11; Linux x86_64) ${WEBKIT} Chrome/147.0.0.0 Safari/537.36`, 'Chrome 147 on Linux'],
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/147.0 Safari/537.36 Edg/147.0`, 'Edge 147 on Windows'],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:150.0) Gecko/20100101 Firefox/150.0', 'Firefox 150 on macOS'],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 Version/19.0 Mobile/15E148 Safari/604.1',
    'Safari 19 on iPhone',
  ],
  [`Mozilla/5.0 (Linux; Android 16) ${WEBKIT} Chrome/147.0 Mobile Safari/537.36`, 'Chrome 147 on Android'],
  ['curl/8.5.0', 'curl/8.5.0'],
  ['', 'not known'],
])('%s', (agent, said) => {
  equal(browserIn(agent), said)
})
