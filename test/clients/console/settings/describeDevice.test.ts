/** The description of a user agent that users see. */
import '../../../kit/console/english.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeDevice } from '../../../../clients/console/app/accounts/describeDevice.ts'

const mac = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)'
const webkit = 'AppleWebKit/537.36 (KHTML, like Gecko)'

for (const [userAgent, words] of [
  [`${mac} AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Safari/605.1.15`, 'Safari on macOS'],
  [`${mac} ${webkit} Chrome/141.0.0.0 Safari/537.36`, 'Chrome on macOS'],
  [
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/141.0.0.0 Safari/537.36 Edg/141.0.0.0`,
    'Edge on Windows',
  ],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0', 'Firefox on Linux'],
  [`Mozilla/5.0 (Linux; Android 10; K) ${webkit} Chrome/141.0.0.0 Mobile Safari/537.36`, 'Chrome on Android'],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 Version/18.6 Mobile/15E148 Safari/604.1',
    'Safari on iPhone',
  ],
  ['curl/8.14.1', 'curl/8.14.1'],
  ['x'.repeat(256), `${'x'.repeat(60)} …`],
  [' ', 'Unknown program'],
  [null, 'Unknown program'],
] as const)
  test(`${String(userAgent).slice(0, 60)} is ${words}`, () => {
    assert.equal(describeDevice(userAgent), words)
  })
