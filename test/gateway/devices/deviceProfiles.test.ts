/** Profiles are signed as openssl, and so Apple, verifies them; without a certificate there are none in production. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import type { GatewaySettings } from '../../../gateway/options.ts'
import { type Identity, type IdentityOptions, identity } from '../../kit/program/certificates.ts'
import {
  type Attributes,
  answerText,
  anyPhone,
  fetchProfile,
  iPhone,
  postAnswer,
  signedBy,
} from '../../kit/program/phone.ts'
import { startDeviceGateway } from '../../kit/runtime/deviceGateway.ts'

/** The content of a signed message, where the chain in it leads to the root. @throws where openssl finds it wrong */
function verified(message: Uint8Array, root: Identity): string {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-profile-'))
  try {
    writeFileSync(join(folder, 'root.pem'), root.pem)
    writeFileSync(join(folder, 'profile'), message)
    const files = ['-in', join(folder, 'profile'), '-CAfile', join(folder, 'root.pem')]
    const options = ['cms', '-verify', '-inform', 'DER', '-binary', '-purpose', 'any', ...files]
    return execFileSync('openssl', options, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const production: Partial<GatewaySettings> = { production: true, publicBaseUrl: 'https://box.example' }

describe('a signed profile', () => {
  for (const kind of ['RSA', 'EC'] as const satisfies readonly IdentityOptions['kind'][])
    test(`has the signature of a key of the kind ${kind} and the chain to the root`, async () => {
      const root = await identity({ name: 'Root', ca: true })
      const authority = await identity({ name: 'Authority', issuer: root, ca: true })
      const signer = await identity({ name: 'box.example', issuer: authority, kind })
      const deviceProfile = { certificates: [signer.pem, authority.pem], key: signer.keyPem }
      const one = await startDeviceGateway({ ...production, deviceProfile })
      try {
        const { id, profileUrl } = await one.begin()
        assert.ok(profileUrl.startsWith(`https://box.example/api/public/device-enrollments/${id}/profile?token=`))
        const here = (url: string) => url.replace('https://box.example', one.world.url)
        const { bytes, headers, url, challenge } = await fetchProfile(here(profileUrl))
        assert.equal(headers.get('content-type'), 'application/x-apple-aspen-config')
        assert.equal(bytes[0], 0x30, 'it is an envelope')
        const content = verified(bytes, root)
        assert.match(content, /^<\?xml version="1\.0" encoding="UTF-8"\?>\n<!DOCTYPE plist [\s\S]*<\/plist>\n$/)
        assert.ok(content.includes(`<key>Challenge</key><string>${challenge}</string>`))
        assert.throws(() => verified(bytes, signer), 'it is not the root')
        const changed = Buffer.from(bytes)
        const at = changed.indexOf(challenge)
        changed.writeUInt8(changed.readUInt8(at) ^ 1, at)
        assert.throws(() => verified(changed, root), 'nothing in it can be changed')

        const again = await fetchProfile(here(profileUrl))
        assert.deepEqual([again.challenge, again.url], [challenge, url], 'it may be fetched again')
        const phone = await identity({ name: 'iPhone' })
        const answer = await postAnswer(here(url), await signedBy(phone, answerText(iPhone, challenge)))
        assert.equal(answer.headers.get('location'), `https://box.example/api/public/device-enrollments/${id}/done`)
      } finally {
        await one.stop()
      }
    })
})

test('in production an enrollment is refused without a certificate, and the error names the settings', async () => {
  const one = await startDeviceGateway(production)
  try {
    const url = `${one.world.url}/api/ios/enrollment/start`
    const response = await fetch(url, { method: 'POST', headers: one.headers })
    const { error } = (await response.json()) as { error: { code: string; message: string } }
    assert.deepEqual([response.status, error.code], [409, 'FAILED_PRECONDITION'])
    assert.match(error.message, /DEVICE_PROFILE_CERT and DEVICE_PROFILE_KEY/)
    assert.equal(await one.world.storage.views.count({ kind: 'deviceEnrollment' }), 0)
  } finally {
    await one.stop()
  }
})

test('the exported list of devices has each device name on one line and not as a formula', async () => {
  const one = await startDeviceGateway()
  const phone = await identity({ name: 'iPhone' })
  const names: readonly (readonly [given: string, product: string, line: string])[] = [
    ['Ada’s iPhone', 'iPhone15,2', 'Ada’s iPhone\tios'],
    ['a\tb\nc\r\nd', 'iPad14,1', 'a b c d\tios'],
    ['=HYPERLINK(&quot;http://x&quot;)', 'iPhone15,2', "HYPERLINK('http://x')\tios"],
    [' +-@=1+1', 'Watch6,1', '1+1\tios'],
    ['=+', 'iPhone15,2', 'Device\tios'],
    ['＝cmd', 'AppleTV14,1', 'cmd\tios'],
    ['', 'MacBookPro18,3', 'MacBookPro18,3\tmac'],
    ['Studio', 'Mac13,1', 'Studio\tmac'],
    ['Kitchen', 'iMac21,1', 'Kitchen\tmac'],
    ['a\u2028b &#x1F4F1; &lt;i&gt;', 'RealityDevice14,1', 'a b 📱 <i>\tios'],
  ]
  try {
    const udids: string[] = []
    for (const [name, product] of names) {
      const device: Attributes = { ...anyPhone(), DEVICE_NAME: name, PRODUCT: product }
      udids.push(device.UDID ?? '')
      assert.equal((await one.enroll(device, phone)).status, 301, name)
    }
    const url = `${one.world.url}/api/ios/devices/export.tsv`
    const wanted = [
      'Device ID\tDevice Name\tDevice Platform',
      ...names.map(([, , line], n) => `${udids[n]}\t${line}`),
      '',
    ]
    let found: string | undefined
    // Word of the last enrollment may still be on its way.
    for (let n = 0; n < 100 && found?.split('\n').length !== wanted.length; n++) {
      const response = await fetch(url, { headers: one.headers })
      assert.equal(response.headers.get('content-type'), 'text/tab-separated-values; charset=utf-8')
      assert.equal(response.headers.get('content-disposition'), 'attachment; filename="devices.tsv"')
      assert.equal(response.headers.get('x-content-type-options'), 'nosniff')
      found = await response.text()
    }
    assert.deepEqual(found?.split('\n').toSorted(), wanted.toSorted())
  } finally {
    await one.stop()
  }
})
