/** The providers' own test vectors. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { signatureSchemes } from '../../../gateway/operations/hosts/webhooks/signatures.ts'
import type { Scheme } from '../../../spec/hosts/webhookProviders.ts'

interface Vector {
  readonly scheme: Scheme
  readonly secret: string
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
  readonly at?: number
}

const vectors: Readonly<Record<string, Vector>> = {
  'GitHub, "Testing the webhook payload validation"': {
    scheme: 'GITHUB_SIGNATURE',
    secret: "It's a Secret to Everybody",
    body: 'Hello, World!',
    headers: { 'x-hub-signature-256': 'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17' },
  },
  'Standard Webhooks, the vector of its libraries': {
    scheme: 'STANDARD_WEBHOOKS',
    secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    body: '{"test": 2432232314}',
    headers: {
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    },
    at: 1_614_265_330_000,
  },
  'HMAC-SHA256 in the form of Linear, RFC 4231 test case 2': {
    scheme: 'LINEAR_SIGNATURE',
    secret: 'Jefe',
    body: 'what do ya want for nothing?',
    headers: { 'linear-signature': '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843' },
  },
}

for (const [words, { scheme, secret, body, headers, at }] of Object.entries(vectors)) {
  const verify = (given: Partial<Pick<Vector, 'secret' | 'body'>>, secrets = [given.secret ?? secret]) =>
    signatureSchemes[scheme].verify({
      headers: new Map(Object.entries(headers)),
      body: Buffer.from(given.body ?? body),
      secrets,
    })

  test(`${words}: is genuine`, () => assert.deepEqual(verify({}), { type: 'genuine', at }))
  test(`${words}: is genuine with the second of two secrets`, () => {
    const other = secret.startsWith('whsec_') ? `whsec_${'A'.repeat(32)}` : 'another one'
    assert.equal(verify({}, [other, secret]).type, 'genuine')
  })
  test(`${words}: is forged with another body, another secret or no secret`, () => {
    assert.equal(verify({ body: `${body} ` }).type, 'forged')
    assert.equal(verify({ secret: `${secret}A` }).type, 'forged')
    assert.equal(verify({}, []).type, 'forged')
  })
}
