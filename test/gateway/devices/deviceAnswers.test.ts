/** The answers of devices: those that are refused and change nothing, those that use up the challenge, and those of real devices. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { type Identity, identity } from '../../kit/program/certificates.ts'
import { answerText, anyPhone, fetchProfile, postAnswer, signedBy } from '../../kit/program/phone.ts'
import { type DeviceGateway, startDeviceGateway } from '../../kit/runtime/deviceGateway.ts'

/** As Apple's was: RSA-1024, SHA-1, and expired in 2014. */
const apple = {
  kind: 'RSA-1024 with SHA-1',
  from: new Date('2007-04-16'),
  until: new Date('2014-04-16'),
} as const

let any: DeviceGateway
/** With DEVICE_CA_CERTS. */
let strict: DeviceGateway
const who = {} as Record<
  'root' | 'authority' | 'phone' | 'oldPhone' | 'stranger' | 'byPhone' | 'direct' | 'forger' | 'forged',
  Identity
>

before(async () => {
  who.root = await identity({ name: 'Root', ca: true, kind: 'RSA' })
  who.authority = await identity({ name: 'Apple iPhone Device CA', issuer: who.root, ca: true, ...apple })
  who.phone = await identity({ name: 'phone', issuer: who.authority })
  who.oldPhone = await identity({ name: 'old phone', issuer: who.authority, ...apple })
  who.stranger = await identity({ name: 'stranger' })
  // A device is no authority, whatever it signs.
  who.byPhone = await identity({ name: 'by phone', issuer: who.phone })
  who.direct = await identity({ name: 'direct', issuer: who.root })
  who.forger = await identity({ name: 'Root', ca: true, kind: 'RSA' })
  who.forged = await identity({ name: 'forged', issuer: who.forger })
  any = await startDeviceGateway({ limits: { deviceAnswerBytes: 24 * 1024 } })
  strict = await startDeviceGateway({ deviceAuthorities: [who.root.pem] })
})
after(async () => {
  await Promise.all([any?.stop(), strict?.stop()])
})

interface Situation {
  readonly challenge: string
  /** The challenge of another active enrollment. */
  readonly otherChallenge: string
}

interface BadAnswer {
  readonly words: string
  readonly answer: (situation: Situation) => Promise<Uint8Array | string> | Uint8Array | string
  readonly refused: readonly [status: number, code: string]
  /** The status of the enrollment afterwards. */
  readonly leaves: 'PROFILE_SENT' | 'REJECTED'
  readonly where?: 'strict'
}

const right = (challenge: string, more: Readonly<Record<string, string>> = {}) =>
  answerText({ ...anyPhone(), ...more }, challenge)
const without = (name: string, challenge: string) =>
  answerText(Object.fromEntries(Object.entries(anyPhone()).filter(([key]) => key !== name)), challenge)
const text = (inside: string, head = '') => `<?xml version="1.0"?>\n${head}<plist version="1.0">${inside}</plist>`
const dict = (challenge: string, more = '') =>
  `<dict><key>CHALLENGE</key><string>${challenge}</string><key>UDID</key><string>00008110-000A1B2C3D4E5F60</string>${more}</dict>`

const noMessage = { refused: [400, 'BAD_USER_INPUT'], leaves: 'PROFILE_SENT' } as const
const noChallenge = { refused: [401, 'UNAUTHENTICATED'], leaves: 'PROFILE_SENT' } as const
const badSignature = { refused: [401, 'UNAUTHENTICATED'], leaves: 'REJECTED' } as const
const badAttributes = { refused: [400, 'BAD_USER_INPUT'], leaves: 'REJECTED' } as const

const bomb = `<!DOCTYPE plist [<!ENTITY a "aaaaaaaaaa">${Array.from({ length: 9 }, (_, n) => `<!ENTITY ${'bcdefghij'[n]} "${`&${'abcdefghi'[n]};`.repeat(10)}">`).join('')}]>`

const badAnswers: readonly BadAnswer[] = [
  { words: 'an empty body', answer: () => '', ...noMessage },
  { words: 'text', answer: () => 'hello', ...noMessage },
  { words: 'an unsigned property list', answer: ({ challenge }) => right(challenge), ...noMessage },
  {
    words: 'a message cut in half',
    answer: async (s) => half(await signedBy(who.phone, right(s.challenge))),
    ...noMessage,
  },
  { words: 'ASN.1 nested 12,000 times', answer: () => Buffer.from('3080'.repeat(12_000), 'hex'), ...noMessage },
  { words: 'a sequence longer than any body', answer: () => Buffer.from('3084ffffffff0201', 'hex'), ...noMessage },
  {
    words: 'a signature without the content',
    answer: ({ challenge }) => signedBy(who.phone, right(challenge), { withoutContent: true }),
    ...noMessage,
  },
  {
    words: 'two signers',
    answer: ({ challenge }) => signedBy(who.phone, right(challenge), { signers: [who.phone, who.stranger] }),
    ...noMessage,
  },
  {
    words: 'no signer',
    answer: ({ challenge }) => signedBy(who.phone, right(challenge), { signers: [] }),
    ...noMessage,
  },
  {
    words: 'a signed text that is not a property list',
    answer: () => signedBy(who.phone, '{"UDID":"x"}'),
    ...noMessage,
  },
  {
    words: 'an entity bomb',
    answer: ({ challenge }) => signedBy(who.phone, text(dict(challenge, '<key>a</key><string>&j;</string>'), bomb)),
    ...noMessage,
  },
  {
    words: 'an external entity',
    answer: ({ challenge }) =>
      signedBy(
        who.phone,
        text(
          dict(challenge, '<key>SERIAL</key><string>&x;</string>'),
          '<!DOCTYPE plist [<!ENTITY x SYSTEM "file:///etc/passwd">]>\n',
        ),
      ),
    ...noMessage,
  },
  {
    words: 'the challenge twice',
    answer: ({ challenge }) => signedBy(who.phone, text(dict(challenge, '<key>CHALLENGE</key><string>x</string>'))),
    ...noMessage,
  },
  {
    words: 'a dictionary in a dictionary',
    answer: ({ challenge }) => signedBy(who.phone, text(dict(challenge, `<key>a</key>${dict(challenge)}`))),
    ...noMessage,
  },
  {
    words: 'two dictionaries',
    answer: ({ challenge }) => signedBy(who.phone, text(dict(challenge) + dict(challenge))),
    ...noMessage,
  },
  { words: 'a wrong challenge', answer: () => signedBy(who.phone, right('guess')), ...noChallenge },
  { words: 'no challenge', answer: () => signedBy(who.phone, text('<dict></dict>')), ...noChallenge },
  {
    words: 'the challenge of another enrollment',
    answer: ({ otherChallenge }) => signedBy(who.phone, right(otherChallenge)),
    ...noChallenge,
  },
  {
    words: 'the right challenge with one more letter',
    answer: ({ challenge }) => signedBy(who.phone, right(`${challenge}=`)),
    ...noChallenge,
  },
  {
    words: 'content that was changed after it was signed',
    answer: async ({ challenge }) => tampered(await signedBy(who.phone, right(challenge)), 'iPhone15,2', 'iPhone16,2'),
    ...badSignature,
  },
  {
    words: 'the signature of another content',
    answer: ({ challenge }) => signedBy(who.phone, right(challenge), { signed: 'something else' }),
    ...badSignature,
  },
  {
    words: 'the signature of another key',
    answer: ({ challenge }) => signedBy(who.phone, right(challenge), { keyOf: who.stranger }),
    ...badSignature,
  },
  {
    words: 'no certificate of the signer',
    answer: ({ challenge }) => signedBy(who.phone, right(challenge), { certificates: [] }),
    ...badSignature,
  },
  {
    words: 'the certificate of another device',
    answer: ({ challenge }) => signedBy(who.phone, right(challenge), { certificates: [who.stranger] }),
    ...badSignature,
  },
  { words: 'no UDID', answer: ({ challenge }) => signedBy(who.phone, without('UDID', challenge)), ...badAttributes },
  {
    words: 'an invalid UDID',
    answer: ({ challenge }) => signedBy(who.phone, right(challenge, { UDID: '=HYPERLINK(1)' })),
    ...badAttributes,
  },
  {
    words: 'an authority that is not trusted',
    answer: ({ challenge }) => signedBy(who.stranger, right(challenge)),
    ...badSignature,
    where: 'strict',
  },
  {
    words: 'a device’s certificate without that of its authority',
    answer: ({ challenge }) => signedBy(who.phone, right(challenge)),
    ...badSignature,
    where: 'strict',
  },
  {
    words: 'a certificate that a device issued',
    answer: ({ challenge }) =>
      signedBy(who.byPhone, right(challenge), { certificates: [who.byPhone, who.phone, who.authority] }),
    ...badSignature,
    where: 'strict',
  },
  {
    words: 'an authority that only has the name of the trusted one',
    answer: ({ challenge }) => signedBy(who.forged, right(challenge), { certificates: [who.forged, who.forger] }),
    ...badSignature,
    where: 'strict',
  },
  {
    words: 'the certificate of a stranger beside a trusted one',
    answer: ({ challenge }) =>
      signedBy(who.stranger, right(challenge), { certificates: [who.stranger, who.phone, who.authority, who.root] }),
    ...badSignature,
    where: 'strict',
  },
]

const half = (bytes: Uint8Array) => bytes.subarray(0, bytes.length / 2)

function tampered(bytes: Uint8Array, from: string, to: string): Uint8Array {
  const at = Buffer.from(bytes).indexOf(from)
  assert.ok(at > 0)
  const changed = Buffer.from(bytes)
  changed.write(to, at)
  return changed
}

async function profileAt(world: DeviceGateway) {
  const begun = await world.begin()
  return { ...begun, ...(await fetchProfile(begun.profileUrl)) }
}

const errorOf = async (response: Response) =>
  ((await response.json()) as { error: { code: string; message: string; state?: string } }).error

describe('a request of a device is refused with', () => {
  for (const { words, answer, refused, leaves, where } of badAnswers)
    test(words, async () => {
      const world = where === 'strict' ? strict : any
      const devices = () => world.world.storage.views.count({ kind: 'device' })
      const { id, url, challenge } = await profileAt(world)
      const situation = { challenge, otherChallenge: (await profileAt(world)).challenge }
      const before = await devices()
      const body = await answer(situation)
      const response = await postAnswer(url, body)
      const { code, message } = await errorOf(response)
      assert.deepEqual([response.status, code], refused, message)
      assert.equal(await world.statusOf(id), leaves)
      assert.equal(await devices(), before, 'no device is made')
      assert.ok(!message.includes(challenge))
      // The same again is answered the same.
      const again = await postAnswer(url, body)
      assert.deepEqual([again.status, (await errorOf(again)).code], refused)
      if (leaves === 'PROFILE_SENT') {
        const good = await signedBy(who.direct, right(challenge))
        assert.equal((await postAnswer(url, good)).status, 301, 'the device itself is not kept from enrolling')
      }
    })

  test('more bytes than the limit', async () => {
    const { id, url } = await profileAt(any)
    const response = await postAnswer(url, Buffer.alloc(24 * 1024 + 1))
    assert.deepEqual([response.status, (await errorOf(response)).code], [413, 'PAYLOAD_TOO_LARGE'])
    assert.equal(await any.statusOf(id), 'PROFILE_SENT')
  })

  test('the right answer, after a wrong one with the right challenge', async () => {
    const { id, url, challenge } = await profileAt(any)
    await postAnswer(url, await signedBy(who.phone, without('UDID', challenge)))
    const response = await postAnswer(url, await signedBy(who.phone, right(challenge)))
    const { code, state } = await errorOf(response)
    assert.deepEqual([response.status, code, state], [409, 'FAILED_PRECONDITION', 'REJECTED'])
    const row = await any.world.storage.views.find(id)
    assert.equal(row?.context.problem, 'the UDID is missing, or not one of Apple’s')
  })

  test('the used challenge of another device, and the enrollment stays with the first device', async () => {
    const { id, url, challenge } = await profileAt(any)
    const first = await signedBy(who.phone, right(challenge))
    assert.equal((await postAnswer(url, first)).status, 301)
    const before = await any.world.storage.views.count({ kind: 'device' })
    for (const other of [right(challenge), without('UDID', challenge)]) {
      const response = await postAnswer(url, await signedBy(who.stranger, other))
      const { code, state } = await errorOf(response)
      assert.deepEqual([response.status, code, state], [409, 'FAILED_PRECONDITION', 'ENROLLED'])
    }
    assert.equal(await any.world.storage.views.count({ kind: 'device' }), before)
    assert.equal((await postAnswer(url, first)).status, 301, 'the first one again')
    assert.equal(await any.statusOf(id), 'ENROLLED')
  })

  test('a guessed challenge for an enrollment whose profile was not fetched', async () => {
    const { id } = await any.begin()
    const url = `${any.world.url}/api/public/device-enrollments/${id}`
    const response = await postAnswer(url, await signedBy(who.phone, right('guess')))
    assert.deepEqual([response.status, await any.statusOf(id)], [401, 'STARTED'])
  })

  test('more requests per minute than the limit of its address', async () => {
    const few = await startDeviceGateway({ limits: { deviceEnrollmentRequestsPerMinute: 2 } })
    try {
      const { profileUrl } = await few.begin()
      const statuses = [await fetch(profileUrl), await fetch(profileUrl), await fetch(profileUrl)]
      assert.deepEqual(
        statuses.map(({ status }) => status),
        [200, 200, 429],
      )
      assert.ok(Number(statuses[2]?.headers.get('retry-after')) > 0)
    } finally {
      await few.stop()
    }
  })
})

describe('with DEVICE_CA_CERTS a device enrolls', () => {
  const good: readonly (readonly [words: string, by: keyof typeof who, with_: readonly (keyof typeof who)[]])[] = [
    ['whose authority is in its answer', 'phone', ['phone', 'authority']],
    [
      'whose chain expired in 2014, with RSA-1024 and SHA-1, like those of real devices',
      'oldPhone',
      ['oldPhone', 'authority'],
    ],
    ['that sends the root too, in another order', 'phone', ['root', 'authority', 'phone']],
    ['whose authority is a trusted root', 'direct', ['direct']],
  ]
  for (const [words, by, certificates] of good)
    test(words, async () => {
      const { id, url, challenge } = await profileAt(strict)
      const body = await signedBy(who[by], right(challenge), { certificates: certificates.map((name) => who[name]) })
      const response = await postAnswer(url, body)
      assert.equal(response.status, 301, await response.text())
      assert.equal(await strict.statusOf(id), 'ENROLLED')
    })
})

describe('an answer that openssl signs is accepted', () => {
  for (const [words, options] of [
    ['in DER', []],
    ['in BER of indefinite length and in pieces, as Apple writes it', ['-stream']],
    ['with SHA-1', ['-md', 'sha1']],
    ['without signed attributes', ['-noattr']],
    ['by key identifier', ['-keyid']],
  ] as const)
    test(words, async () => {
      const { id, url, challenge } = await profileAt(strict)
      const folder = mkdtempSync(join(tmpdir(), 'signalbox-openssl-'))
      const path = (name: string) => join(folder, name)
      try {
        const [key, certificate] = opensslIdentity(folder)
        writeFileSync(path('answer.plist'), right(challenge))
        const files = ['-in', path('answer.plist'), '-signer', certificate, '-inkey', key, '-out', path('answer.der')]
        openssl(['cms', '-sign', '-binary', '-nodetach', '-outform', 'DER', ...files, ...options])
        const response = await postAnswer(url, execFileSync('cat', [path('answer.der')]))
        assert.equal(response.status, 301, await response.text())
        assert.equal(await strict.statusOf(id), 'ENROLLED')
      } finally {
        rmSync(folder, { recursive: true, force: true })
      }
    })
})

/** A device's key and certificate, which the trusted root issued: by another's hand, all of it. */
function opensslIdentity(folder: string): readonly [key: string, certificate: string] {
  const path = (name: string) => join(folder, name)
  writeFileSync(path('root.pem'), who.root.pem)
  writeFileSync(path('root.key'), who.root.keyPem)
  openssl([
    'req',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-keyout',
    path('device.key'),
    '-subj',
    '/CN=device',
    '-out',
    path('device.csr'),
  ])
  writeFileSync(path('extensions'), 'subjectKeyIdentifier=hash\nbasicConstraints=CA:FALSE\n')
  const issue = ['-CA', path('root.pem'), '-CAkey', path('root.key'), '-set_serial', '77', '-days', '30']
  openssl([
    'x509',
    '-req',
    '-in',
    path('device.csr'),
    '-extfile',
    path('extensions'),
    ...issue,
    '-out',
    path('device.pem'),
  ])
  return [path('device.key'), path('device.pem')]
}

function openssl(command: readonly string[]): void {
  execFileSync('openssl', command, { stdio: ['ignore', 'ignore', 'pipe'] })
}
