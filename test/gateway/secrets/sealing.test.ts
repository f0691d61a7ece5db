/** Encrypted secrets: which binding and key decrypt them, and the result for all others. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, test } from 'node:test'
import { inspect } from 'node:util'
import { AppKeys } from '../../../gateway/secrets/appKeys.ts'
import { type Binding, type Opened, sealingFor, sealingsOf } from '../../../gateway/secrets/sealing.ts'

const [old, now, next] = [randomBytes(32), randomBytes(32), randomBytes(32)] as const
const keys = new AppKeys(now)
const sealing = sealingFor(keys, 'externalCredential')
const secret = 'hush-hush: pässword 🔑'
const binding: Binding = { owner: 'mcp_1', origin: 'https://mcp.example.com/v1/endpoint?x=1' }
const sealed = sealing.seal(secret, binding)
const opened: Opened = { type: 'opened', secret }

describe('an encrypted secret', () => {
  test('is decrypted with the APP_SECRET, its owner and its origin', () => {
    assert.deepEqual(sealing.open(sealed, binding), opened)
    assert.deepEqual(sealingFor(new AppKeys(now), 'externalCredential').open(sealed, binding), opened)
  })

  test('has its format and the ID of its key, and no part of the plain text', () => {
    assert.match(sealed, new RegExp(`^sealed1\\.${keys.currentKeyId}\\.[\\w-]{43}\\.[\\w-]{16}\\.[\\w-]+$`))
    assert.ok(!sealed.includes('hush') && !sealed.includes(Buffer.from('hush').toString('base64url')))
  })

  test('has another ciphertext each time', () => assert.notEqual(sealing.seal(secret, binding), sealed))

  for (const [words, text] of [
    ['an empty text', ''],
    ['a long text', 'x'.repeat(100_000)],
  ] as const)
    test(`may be ${words}`, () =>
      assert.deepEqual(sealing.open(sealing.seal(text, binding), binding), { type: 'opened', secret: text }))
})

/** Bindings for the decryption, each with its result. */
const bindings: readonly [words: string, binding: Binding, answer: Opened['type']][] = [
  ['another path of the origin', { ...binding, origin: 'https://mcp.example.com/v2' }, 'opened'],
  ['the origin in another case', { ...binding, origin: 'HTTPS://MCP.Example.com:443' }, 'opened'],
  ['another owner', { ...binding, owner: 'mcp_2' }, 'boundElsewhere'],
  ['another host', { ...binding, origin: 'https://mcp.example.org' }, 'boundElsewhere'],
  ['a subdomain of the host', { ...binding, origin: 'https://evil.mcp.example.com' }, 'boundElsewhere'],
  ['another port', { ...binding, origin: 'https://mcp.example.com:8443' }, 'boundElsewhere'],
  ['http', { ...binding, origin: 'http://mcp.example.com' }, 'boundElsewhere'],
  ['a text that is not an origin', { ...binding, origin: 'mcp.example.com' }, 'boundElsewhere'],
  ['an owner that contains the origin', { owner: 'mcp_1","https://mcp.example.com', origin: '' }, 'boundElsewhere'],
]

describe('a decryption with', () => {
  for (const [words, other, answer] of bindings)
    test(`${words}: ${answer}`, () => assert.equal(sealing.open(sealed, other).type, answer))
})

describe('after a change of APP_SECRET', () => {
  const before = sealingFor(new AppKeys(old), 'externalCredential').seal(secret, binding)
  const both = sealingFor(new AppKeys(now, old), 'externalCredential')

  test('the previous secret decrypts what it encrypted, and reports that the value must be re-encrypted', () => {
    assert.deepEqual(both.open(before, binding), opened)
    assert.equal(both.needsResealing(before), true)
  })

  test('a re-encrypted value does not need the previous secret', () => {
    const again = both.seal(secret, binding)
    assert.equal(both.needsResealing(again), false)
    assert.deepEqual(sealing.open(again, binding), opened)
  })

  test('without the previous secret the result has the ID of the missing key', () => {
    const { keyId } = sealing.open(before, binding) as Extract<Opened, { type: 'unknownKey' }>
    assert.equal(keyId, new AppKeys(old).currentKeyId)
    assert.equal(sealing.needsResealing(before), false, 'it can’t be')
  })

  test('after two changes a value has an unknown key', () => {
    const later = sealingFor(new AppKeys(next, now), 'externalCredential')
    assert.equal(later.open(before, binding).type, 'unknownKey')
    assert.deepEqual(later.open(sealed, binding), opened)
  })
})

describe('tampering', () => {
  test('with any letter is detected', () => {
    const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.'
    const [from, to] = [sealed.indexOf('.') + 1, sealed.indexOf('.') + 17]
    for (let at = 0; at < sealed.length; at++) {
      for (const letter of letters) {
        if (letter === sealed[at]) continue
        const { type } = sealing.open(sealed.slice(0, at) + letter + sealed.slice(at + 1), binding)
        // A changed key ID is reported as an unknown key, not as damage.
        const expected = at >= from && at < to && /[0-9a-f]/.test(letter) ? 'unknownKey' : 'damaged'
        assert.equal(type, expected, `letter ${at} as ${letter}`)
      }
    }
  })

  for (const [words, text] of [
    ['an empty text', ''],
    ['another text', 'hush-hush'],
    ['a value without its last letter', sealed.slice(0, -1)],
    ['a value with one more letter', `${sealed}A`],
    ['a value with a line end', `${sealed}\n`],
    ['a value of a later format', sealed.replace('sealed1', 'sealed2')],
    ['a value without its ciphertext', sealed.split('.').slice(0, 4).join('.')],
  ] as const)
    test(`${words} is reported as damaged`, () => {
      assert.deepEqual(sealing.open(text, binding), { type: 'damaged' })
      assert.equal(sealing.needsResealing(text), false)
    })

  test('the binding of one value does not fit another value', () => {
    const other = { ...binding, owner: 'mcp_2' }
    const theirs = sealing.seal('theirs', other).split('.')
    const mixed = sealed.split('.').map((part, n) => (n === 2 ? theirs[n] : part))
    assert.deepEqual(sealing.open(mixed.join('.'), other), { type: 'damaged' })
  })

  test('the ID of the previous key does not fit a value that the current key encrypted', () => {
    const both = sealingFor(new AppKeys(now, old), 'externalCredential')
    const renamed = sealed.replace(keys.currentKeyId, new AppKeys(old).currentKeyId)
    assert.deepEqual(both.open(renamed, binding), { type: 'damaged' })
  })
})

test('a value that was encrypted for one purpose is decrypted for no other', () => {
  const all = Object.entries(sealingsOf(keys))
  for (const [purpose, { seal }] of all) {
    const text = seal(secret, binding)
    for (const [other, { open }] of all)
      assert.equal(open(text, binding).type, purpose === other ? 'opened' : 'damaged', `${purpose} as ${other}`)
  }
})

test('neither an error nor the printed keys contain a secret', () => {
  assert.throws(
    () => sealing.seal(secret, { owner: 'mcp_1', origin: 'hush-hush' }),
    (error: Error) => error instanceof TypeError && !inspect(error).includes('hush'),
  )
  assert.throws(() => new AppKeys(Buffer.from('hush')), TypeError)
  for (const shown of [inspect(keys, { depth: 9, showHidden: true }), JSON.stringify(keys)]) {
    for (const form of ['hex', 'base64', 'base64url'] as const) assert.ok(!shown.includes(now.toString(form)))
    assert.ok(!shown.includes(String(now[0]).concat(', ', String(now[1]), ', ', String(now[2]))))
  }
})

test('the key IDs of a secret never change, since sessions store them', () => {
  const known = new AppKeys(new Uint8Array(32).fill(7), new Uint8Array(32).fill(8))
  assert.deepEqual(known.acceptedKeyIds, ['2bb04d3a089374c2', '245c98c06b40ce17'])
  assert.equal(known.currentKeyId, known.acceptedKeyIds[0])
})
