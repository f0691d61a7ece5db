/** Reads the file of a signing asset before it is stored: checks its kind and its passwords, and returns its facts. */
import { createPrivateKey, type KeyObject, type X509Certificate } from 'node:crypto'
import type { SigningAssetKind } from '../../../../../spec/builds/signing/signingEnums.ts'
import {
  certificatesMax,
  type KeystoreFacts,
  type SigningFacts,
} from '../../../../../spec/builds/signing/signingFacts.ts'
import { clean, readCertificateFacts } from './certificateFacts.ts'
import { isJks, readJks } from './jks.ts'
import { readPkcs12 } from './pkcs12.ts'
import { signingProblem } from './problem.ts'
import { readProfile } from './profile.ts'

export interface SigningInput {
  readonly fileName: string
  readonly bytes: Buffer
  readonly password: string | null
  readonly keyAlias: string | null
  readonly keyPassword: string | null
  readonly keyId: string | null
  readonly issuerId: string | null
}

export interface ReadSigningFile {
  readonly facts: SigningFacts
  /** The SHA-256 of each UDID of a provisioning profile. */
  readonly devices: readonly string[]
  /** The alias of the key of a keystore. */
  readonly keyAlias: string | null
}

const noFacts = { certificate: null, profile: null, keystore: null, storeKey: null }

/** @throws Failure BAD_USER_INPUT with the field that is wrong */
export async function readSigningFile(kind: SigningAssetKind, input: SigningInput): Promise<ReadSigningFile> {
  refuseForeignFields(kind, input)
  switch (kind) {
    case 'APPLE_CERTIFICATE':
      return await readCertificate(input)
    case 'PROVISIONING_PROFILE': {
      const { facts: profile, expiresAt, devices } = readProfile(input.bytes)
      return { facts: { ...noFacts, teamId: profile.teamId, expiresAt, profile }, devices, keyAlias: null }
    }
    case 'ANDROID_KEYSTORE':
      return await readKeystore(input)
    case 'APP_STORE_KEY':
      return readStoreKey(input)
  }
}

const fieldsOf: Readonly<Record<SigningAssetKind, readonly string[]>> = {
  APPLE_CERTIFICATE: ['password'],
  PROVISIONING_PROFILE: [],
  ANDROID_KEYSTORE: ['password', 'keyAlias', 'keyPassword'],
  APP_STORE_KEY: ['keyId', 'issuerId'],
}

/** A password that is not needed would be stored for nothing. */
function refuseForeignFields(kind: SigningAssetKind, input: SigningInput): void {
  for (const field of ['password', 'keyAlias', 'keyPassword', 'keyId', 'issuerId'] as const)
    if (input[field] !== null && !fieldsOf[kind].includes(field))
      throw signingProblem(field, `must be omitted: ${kind} has none.`)
}

async function readCertificate({ bytes, password }: SigningInput): Promise<ReadSigningFile> {
  const content = await readPkcs12(bytes, password ?? '', password ?? '')
  if (content.type === 'wrongPassword' || content.type === 'wrongKeyPassword')
    throw signingProblem('password', 'is not the password of the file.')
  if (content.type === 'unreadable')
    throw signingProblem('dataBase64', `is not a .p12 that can be read: ${content.reason}.`)
  const { keys, certificates } = content
  // The certificate of the key comes first: the others are those of its issuers.
  const own = certificates.find(({ certificate }) => keys.some(({ key }) => fits(certificate, key)))
  const certificate = own?.certificate ?? certificates[0]?.certificate
  if (certificate === undefined) throw signingProblem('dataBase64', 'has no certificate.')
  const facts = readCertificateFacts(certificate, own !== undefined)
  return {
    facts: { ...noFacts, teamId: facts.teamId, expiresAt: facts.notAfter, certificate: facts },
    devices: [],
    keyAlias: null,
  }
}

function fits(certificate: X509Certificate, key: KeyObject | undefined): boolean {
  try {
    return key !== undefined && certificate.checkPrivateKey(key)
  } catch {
    return false
  }
}

interface Entry {
  readonly alias: string
  readonly isKey: boolean
  readonly certificate: X509Certificate | undefined
}

async function readKeystore(input: SigningInput): Promise<ReadSigningFile> {
  const format = isJks(input.bytes) ? 'JKS' : 'PKCS12'
  const entries = format === 'JKS' ? readJksEntries(input) : await readPkcs12Entries(input)
  const keys = entries.filter(({ isKey }) => isKey)
  if (keys.length === 0) throw signingProblem('dataBase64', 'has no private key, so nothing can be signed with it.')
  if (entries.length > certificatesMax)
    throw signingProblem('dataBase64', `has ${entries.length} entries. At most ${certificatesMax} are read.`)
  const keyAlias = chooseAlias(keys, input.keyAlias)
  const facts = entries.map((entry): KeystoreFacts['entries'][number] => {
    const certificate = entry.certificate && readCertificateFacts(entry.certificate, entry.isKey)
    return {
      alias: entry.alias,
      kind: entry.isKey ? 'PRIVATE_KEY' : 'CERTIFICATE',
      commonName: certificate?.commonName ?? null,
      sha256: certificate?.sha256 ?? null,
      notAfter: certificate?.notAfter ?? null,
    }
  })
  const ends = facts.flatMap(({ alias, kind, notAfter }) =>
    notAfter !== null && kind === 'PRIVATE_KEY' && (keyAlias === null || alias === keyAlias) ? [notAfter] : [],
  )
  const expiresAt = ends.length === 0 ? null : Math.min(...ends)
  return {
    facts: { ...noFacts, teamId: null, expiresAt, keystore: { format, keyAlias, entries: facts } },
    devices: [],
    keyAlias,
  }
}

function chooseAlias(keys: readonly Entry[], wanted: string | null): string | null {
  const [first] = keys
  if (wanted === null) return keys.length === 1 ? (first?.alias ?? null) : null
  // Java compares aliases without case.
  const found = keys.find(({ alias }) => alias.toLowerCase() === wanted.toLowerCase())
  if (found !== undefined) return found.alias
  const names = keys.slice(0, 10).map(({ alias }) => `"${alias}"`)
  throw signingProblem('keyAlias', `is not the alias of a key of the keystore. It has ${names.join(', ')}.`)
}

function readJksEntries({ bytes, password, keyPassword }: SigningInput): readonly Entry[] {
  const content = readJks(bytes, password ?? '', keyPassword ?? password ?? '')
  if (content.type === 'wrongPassword') throw signingProblem('password', 'is not the password of the keystore.')
  if (content.type === 'wrongKeyPassword') throw wrongKeyPassword(keyPassword)
  if (content.type === 'unreadable')
    throw signingProblem('dataBase64', `is not a keystore that can be read: ${content.reason}.`)
  return content.entries.map(({ alias, key, certificate }) => ({
    alias: clean(alias).slice(0, 200),
    isKey: key !== undefined,
    certificate,
  }))
}

async function readPkcs12Entries({ bytes, password, keyPassword }: SigningInput): Promise<readonly Entry[]> {
  const content = await readPkcs12(bytes, password ?? '', keyPassword ?? password ?? '')
  if (content.type === 'wrongPassword') throw signingProblem('password', 'is not the password of the keystore.')
  if (content.type === 'wrongKeyPassword') throw wrongKeyPassword(keyPassword)
  if (content.type === 'unreadable')
    throw signingProblem(
      'dataBase64',
      `is not a keystore in the format PKCS12 or JKS: ${content.reason}. Convert it with \`keytool -importkeystore -deststoretype PKCS12\`.`,
    )
  const keyIds = new Set(content.keys.map(({ localKeyId }) => localKeyId).filter((one) => one !== null))
  const keys = content.keys.map((key, index): Entry => {
    const own =
      content.certificates.find(({ certificate }) => fits(certificate, key.key)) ??
      content.certificates.find(({ localKeyId }) => localKeyId !== null && localKeyId === key.localKeyId)
    const alias = clean(key.alias ?? own?.alias ?? String(index + 1))
    return { alias, isKey: true, certificate: own?.certificate }
  })
  // The certificates of issuers have no names.
  const others = content.certificates.flatMap(({ alias, localKeyId, certificate }): Entry[] =>
    alias === null || (localKeyId !== null && keyIds.has(localKeyId))
      ? []
      : [{ alias: clean(alias), isKey: false, certificate }],
  )
  return [...keys, ...others.filter(({ alias }) => keys.every((key) => key.alias !== alias))]
}

function wrongKeyPassword(given: string | null) {
  return signingProblem(
    'keyPassword',
    given === null
      ? 'must be given: the key has another password than the keystore.'
      : 'is not the password of the key in the keystore.',
  )
}

function readStoreKey({ fileName, bytes, keyId, issuerId }: SigningInput): ReadSigningFile {
  const key = parsePem(bytes)
  if (key?.asymmetricKeyType !== 'ec' || key.asymmetricKeyDetails?.namedCurve !== 'prime256v1')
    throw signingProblem(
      'dataBase64',
      'is not a key of App Store Connect: a .p8 has a private key of the curve P-256 in PEM.',
    )
  const known = keyId ?? /^AuthKey_([A-Z0-9]{1,20})\.p8$/.exec(fileName)?.[1]
  if (known === undefined)
    throw signingProblem(
      'keyId',
      'must be given: the name of the file is not `AuthKey_<ID>.p8`. App Store Connect shows the ID beside the key.',
    )
  return {
    facts: { ...noFacts, teamId: null, expiresAt: null, storeKey: { keyId: known, issuerId } },
    devices: [],
    keyAlias: null,
  }
}

function parsePem(bytes: Buffer): KeyObject | undefined {
  try {
    return createPrivateKey({ key: bytes, format: 'pem' })
  } catch {
    return undefined
  }
}
