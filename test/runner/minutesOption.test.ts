import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readMinutesOption } from './minutesOption.ts'

test('the option --minutes sets the time limit of a test run, and other options are left to Node', () => {
  assert.deepEqual(readMinutesOption([]), { minutes: undefined, rest: [] })
  assert.deepEqual(readMinutesOption(['--minutes=45']), { minutes: 45, rest: [] })
  assert.deepEqual(readMinutesOption(['--test-only', '--minutes=1', '--minutes=2']), {
    minutes: 2,
    rest: ['--test-only'],
  })
  for (const wrong of ['', '0', '-3', '1.5', 'long', '10000'])
    assert.throws(() => readMinutesOption([`--minutes=${wrong}`]), /whole number from 1 to 9999/)
})
