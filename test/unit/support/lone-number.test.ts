// test/unit/support/lone-number.test.ts — short numbers in a text, and what only looks like one.
import { equal } from 'node:assert/strict'
import { test } from 'vitest'
import { holdsNumber } from '../../support/lone-number.ts'

test.each(['341', 'cv2 341', '"cV2":"341"', '"cV2":341', '{"cV2":341}', 'cv2=341', 'a 341, b'])('%s holds it', text =>
  equal(holdsNumber(text, '341'), true),
)

test.each(['1341', '3412', 'a341f', '8-341-9', '0.341', '341 ms', '12:00:00.341Z', 'host:341', '34'])(
  '%s does not hold it',
  text => equal(holdsNumber(text, '341'), false),
)
