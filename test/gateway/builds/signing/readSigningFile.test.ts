/** The files of signing assets as OpenSSL and keytool write them: what is read in them, and what is refused. */
import assert from 'node:assert/strict'
import { createHash, X509Certificate } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import {
  readSigningFile,
  type SigningInput,
} from '../../../../gateway/operations/builds/signing/parse/readSigningFile.ts'
import type { SigningAssetKind } from '../../../../spec/builds/signing/signingEnums.ts'
import { Failure } from '../../../../spec/core/failure.ts'
import { type BinaryObject, writeBinaryPlist } from '../../../kit/program/objects/binaryPlists.ts'
import { javaPkcs12Base64, jksBase64 } from '../../../kit/signing/keystores.ts'
import { SigningFiles, teamId } from '../../../kit/signing/signingFiles.ts'
import { encryptedCertificateBase64, plainCertificateBase64 } from '../../../kit/signing/unprotected.ts'

const files = new SigningFiles()
after(() => files.end())

const none = { password: null, keyAlias: null, keyPassword: null, keyId: null, issuerId: null }
const read = (kind: SigningAssetKind, bytes: Buffer, given: Partial<SigningInput> = {}) =>
  readSigningFile(kind, { fileName: 'file', bytes, ...none, ...given })

/** The field that is refused, and the sentence. */
async function refused(reading: Promise<unknown>): Promise<readonly [unknown, string]> {
  try {
    await reading
  } catch (error) {
    assert.ok(error instanceof Failure, String(error))
    assert.equal(error.code, 'BAD_USER_INPUT')
    return [error.details?.field, error.message]
  }
  throw new Error('It was not refused.')
}

let identity: Awaited<ReturnType<typeof files.identity>>
let x509: X509Certificate
let fingerprint: string
before(async () => {
  identity = await files.identity()
  x509 = new X509Certificate(identity.certificate)
  fingerprint = x509.fingerprint256.replaceAll(':', '').toLowerCase()
})

describe('an Apple certificate', () => {
  const forms: readonly (readonly [string, readonly string[]])[] = [
    ['AES, as OpenSSL 3 writes it', []],
    ['RC2 and triple DES, as Keychain Access writes it', ['-legacy']],
    ['RC2 of 128 bits', ['-legacy', '-certpbe', 'PBE-SHA1-RC2-128', '-keypbe', 'PBE-SHA1-2DES']],
    ['triple DES for both', ['-certpbe', 'PBE-SHA1-3DES', '-keypbe', 'PBE-SHA1-3DES']],
    ['PBES2 with AES of 128 bits', ['-certpbe', 'AES-128-CBC', '-keypbe', 'AES-128-CBC', '-macalg', 'sha512']],
    ['no encryption of the certificate', ['-certpbe', 'NONE']],
    ['no MAC', ['-nomac']],
  ]
  for (const [words, options] of forms)
    test(`is read with its password: ${words}`, async () => {
      const bytes = await files.pkcs12(identity, 'pass wörd', ...options)
      const { facts } = await read('APPLE_CERTIFICATE', bytes, { password: 'pass wörd' })
      const { certificate } = facts
      assert.deepEqual([certificate?.commonName, certificate?.teamId], ['Apple Distribution: Example GmbH', teamId])
      assert.deepEqual([facts.teamId, facts.expiresAt], [teamId, Date.parse(x509.validTo)])
      assert.deepEqual([certificate?.sha256, certificate?.hasPrivateKey], [fingerprint, true])
      const [field] = await refused(read('APPLE_CERTIFICATE', bytes, { password: 'pass word' }))
      assert.equal(field, 'password')
      assert.equal((await refused(read('APPLE_CERTIFICATE', bytes)))[0], 'password')
    })

  test('is read without a password', async () => {
    const bytes = await files.pkcs12(identity, '')
    const { facts } = await read('APPLE_CERTIFICATE', bytes)
    assert.equal(facts.certificate?.hasPrivateKey, true)
  })

  const collisions: readonly (readonly [string, string, string])[] = [
    ['its key', plainCertificateBase64, 'wrong 100'],
    ['its certificate', encryptedCertificateBase64, 'wrong 27'],
  ]
  for (const [part, base64, wrong] of collisions)
    test(`without a MAC is refused if a wrong password decrypts ${part} to bytes with valid padding`, async () => {
      const bytes = Buffer.from(base64, 'base64')
      const { facts } = await read('APPLE_CERTIFICATE', bytes, { password: 'right' })
      assert.equal(facts.certificate?.hasPrivateKey, true)
      const [field, message] = await refused(read('APPLE_CERTIFICATE', bytes, { password: wrong }))
      assert.deepEqual([field, message], ['password', 'password is not the password of the file.'])
    })

  test('without its private key is read, and the result shows that the key is missing', async () => {
    const bytes = await files.pkcs12(identity, 'p', '-nokeys')
    const { facts } = await read('APPLE_CERTIFICATE', bytes, { password: 'p' })
    assert.deepEqual([facts.certificate?.sha256, facts.certificate?.hasPrivateKey], [fingerprint, false])
  })

  test('that needs too many iterations is refused at once', async () => {
    const bytes = await files.pkcs12(identity, 'p', '-iter', '5000000')
    const begun = performance.now()
    const [field, message] = await refused(read('APPLE_CERTIFICATE', bytes, { password: 'p' }))
    assert.ok(performance.now() - begun < 2_000)
    assert.equal(field, 'dataBase64')
    assert.match(message, /iterations/)
  })

  test('is refused if the file or a field is of another kind, and the error names the field', async () => {
    assert.equal((await refused(read('APPLE_CERTIFICATE', Buffer.from('hello'))))[0], 'dataBase64')
    assert.equal((await refused(read('APPLE_CERTIFICATE', Buffer.alloc(0))))[0], 'dataBase64')
    const bytes = await files.pkcs12(identity, 'p')
    assert.equal((await refused(read('APPLE_CERTIFICATE', bytes, { password: 'p', keyAlias: 'a' })))[0], 'keyAlias')
  })
})

describe('a provisioning profile', () => {
  test('has its app, its team, its certificates and the number of its devices', async () => {
    const { facts, devices } = await read('PROVISIONING_PROFILE', await files.profile(identity))
    const { profile } = facts
    assert.deepEqual([profile?.name, profile?.type, profile?.deviceCount], ['Shop ad hoc', 'AD_HOC', 2])
    assert.deepEqual([profile?.appId, facts.teamId], [`${teamId}.com.example.shop`, teamId])
    assert.equal(facts.expiresAt, Date.parse('2126-01-01T00:00:00Z'))
    assert.deepEqual(
      profile?.certificates.map(({ sha256 }) => sha256),
      [fingerprint],
    )
    assert.deepEqual(devices[0], createHash('sha256').update('00008101-000123456789ABCD').digest('hex'))
    assert.ok(!JSON.stringify(facts).includes('00008101'), 'it keeps no UDID')
  })

  const types: readonly (readonly [string, Readonly<Record<string, unknown>>])[] = [
    ['DEVELOPMENT', { Entitlements: { 'get-task-allow': true } }],
    ['APP_STORE', { ProvisionedDevices: undefined }],
    ['ENTERPRISE', { ProvisionedDevices: undefined, ProvisionsAllDevices: true }],
  ]
  for (const [type, fields] of types)
    test(`of the type ${type} has this type in the result`, async () => {
      const { facts } = await read('PROVISIONING_PROFILE', await files.profile(identity, fields))
      assert.equal(facts.profile?.type, type)
    })

  test('with a missing, too large or damaged part is refused, and the error names the part', async () => {
    const bytes = await files.profile(identity, { ExpirationDate: undefined })
    const [field, message] = await refused(read('PROVISIONING_PROFILE', bytes))
    assert.equal(field, 'dataBase64')
    assert.match(message, /ExpirationDate/)
    const many = Array.from({ length: 2_001 }, (_, index) => `device-${index}`)
    const tooMany = await files.profile(identity, { ProvisionedDevices: many })
    assert.match((await refused(read('PROVISIONING_PROFILE', tooMany)))[1], /ProvisionedDevices/)
    const noPlist = await files.signed(identity, Buffer.from('<plist><dict><key>Name</key>'))
    assert.equal((await refused(read('PROVISIONING_PROFILE', noPlist)))[0], 'dataBase64')
    const other = await files.pkcs12(identity, 'p')
    assert.match((await refused(read('PROVISIONING_PROFILE', other)))[1], /not a signed CMS message/)
  })

  test('with a binary property list whose objects expand to 2^40 values is refused at once', async () => {
    // Each object has the next one twice: 2 to the power of 40 values.
    const objects = Array.from({ length: 40 }, (_, index): BinaryObject => ({ array: [index + 1, index + 1] }))
    const bomb = writeBinaryPlist([...objects, { text: 'x' }])
    const [field, message] = await refused(read('PROVISIONING_PROFILE', await files.signed(identity, bomb)))
    assert.equal(field, 'dataBase64')
    assert.match(message, /its property list is not XML/)
  })
})

describe('an Android keystore', () => {
  const jks = Buffer.from(jksBase64, 'base64')
  const passwords = { password: 'store-pass', keyPassword: 'key-pass1' }

  test('in the format JKS is read with both passwords', async () => {
    const { facts, keyAlias } = await read('ANDROID_KEYSTORE', jks, { ...passwords, keyAlias: 'UPLOAD' })
    assert.deepEqual(facts.keystore?.entries.map(({ alias, kind, commonName }) => [alias, kind, commonName]).sort(), [
      ['second', 'PRIVATE_KEY', 'Second'],
      ['upload', 'PRIVATE_KEY', 'Upload Key'],
    ])
    assert.deepEqual([facts.keystore?.format, keyAlias, facts.keystore?.keyAlias], ['JKS', 'upload', 'upload'])
    assert.ok((facts.expiresAt ?? 0) > Date.parse('2125-01-01'), 'the expiry of the chosen key')
    const both = await read('ANDROID_KEYSTORE', jks, passwords)
    assert.equal(both.keyAlias, null)
    assert.ok((both.facts.expiresAt ?? 0) < Date.parse('2037-01-01'), 'the earliest expiry')
  })

  test('is refused with a wrong password, alias or password of the key, and the error names it', async () => {
    assert.equal((await refused(read('ANDROID_KEYSTORE', jks, { password: 'store-past' })))[0], 'password')
    assert.deepEqual((await refused(read('ANDROID_KEYSTORE', jks, { password: 'store-pass' })))[0], 'keyPassword')
    const [field, message] = await refused(read('ANDROID_KEYSTORE', jks, { ...passwords, keyAlias: 'third' }))
    assert.equal(field, 'keyAlias')
    assert.match(message, /"upload"/)
  })

  test('in the format PKCS12 is read, from keytool and from OpenSSL', async () => {
    const java = await read('ANDROID_KEYSTORE', Buffer.from(javaPkcs12Base64, 'base64'), { password: 'store-pass' })
    assert.deepEqual([java.facts.keystore?.format, java.keyAlias], ['PKCS12', 'upload'])
    assert.deepEqual(
      java.facts.keystore?.entries.map(({ alias, commonName }) => [alias, commonName]),
      [['upload', 'Upload Key']],
    )
    const bytes = await files.pkcs12(identity, 'p', '-name', 'release')
    const { facts } = await read('ANDROID_KEYSTORE', bytes, { password: 'p' })
    assert.deepEqual([facts.keystore?.keyAlias, facts.expiresAt], ['release', Date.parse(x509.validTo)])
    assert.equal(
      (await refused(read('ANDROID_KEYSTORE', await files.pkcs12(identity, 'p', '-nokeys'), { password: 'p' })))[0],
      'dataBase64',
    )
  })
})

describe('a key of App Store Connect', () => {
  test('has its ID from the name of its file or from the input', async () => {
    const bytes = await files.storeKey()
    const named = await read('APP_STORE_KEY', bytes, { fileName: 'AuthKey_2X9R4HXF34.p8' })
    assert.deepEqual(named.facts.storeKey, { keyId: '2X9R4HXF34', issuerId: null })
    assert.equal(named.facts.expiresAt, null)
    const given = await read('APP_STORE_KEY', bytes, { keyId: 'AAAAAAAAAA' })
    assert.equal(given.facts.storeKey?.keyId, 'AAAAAAAAAA')
    assert.equal((await refused(read('APP_STORE_KEY', bytes)))[0], 'keyId')
  })

  test('of another curve, and a certificate, are refused', async () => {
    const fileName = 'AuthKey_2X9R4HXF34.p8'
    assert.match((await refused(read('APP_STORE_KEY', await files.storeKey('P-384'), { fileName })))[1], /P-256/)
    const certificate = Buffer.from(identity.certificate)
    assert.equal((await refused(read('APP_STORE_KEY', certificate, { fileName })))[0], 'dataBase64')
  })
})

describe('a damaged file', () => {
  /** A generator of the same numbers in each run. */
  let state = 1
  const random = (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
  const kinds: readonly (readonly [SigningAssetKind, () => Promise<Buffer>, Partial<SigningInput>])[] = [
    ['APPLE_CERTIFICATE', () => files.pkcs12(identity, 'p', '-iter', '2'), { password: 'p' }],
    ['APPLE_CERTIFICATE', () => files.pkcs12(identity, 'p', '-legacy', '-nomac', '-iter', '2'), { password: 'p' }],
    ['PROVISIONING_PROFILE', () => files.profile(identity), {}],
    [
      'ANDROID_KEYSTORE',
      async () => Buffer.from(jksBase64, 'base64'),
      { password: 'store-pass', keyPassword: 'key-pass1' },
    ],
    ['APP_STORE_KEY', () => files.storeKey(), { keyId: 'AAAAAAAAAA' }],
  ]
  for (const [index, [kind, make, given]] of kinds.entries())
    test(`is read or refused with BAD_USER_INPUT, in bounded time: ${kind} ${index}`, async () => {
      const whole = await make()
      for (let round = 0; round < 300; round++) {
        const damaged = Buffer.from(whole)
        for (let flips = random(4); flips >= 0; flips--) {
          const at = random(damaged.length)
          damaged[at] = (damaged[at] ?? 0) ^ (1 << random(8))
        }
        const bytes = round % 5 === 0 ? damaged.subarray(0, random(damaged.length)) : damaged
        const begun = performance.now()
        try {
          await read(kind, Buffer.from(bytes), given)
        } catch (error) {
          assert.ok(error instanceof Failure && error.code === 'BAD_USER_INPUT', `round ${round}: ${error}`)
        }
        assert.ok(performance.now() - begun < 5_000, `round ${round} took too long`)
      }
    })
})
