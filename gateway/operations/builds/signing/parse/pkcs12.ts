/** Reads a PKCS#12 file (.p12, .pfx, and keystores of Java): its certificates and private keys, with the password of the file. */
import { createHmac, createPrivateKey, type KeyObject, timingSafeEqual, X509Certificate } from 'node:crypto'
import { type BaseBlock, BmpString, OctetString } from 'asn1js'
import {
  type Attribute,
  AuthenticatedSafe,
  CertBag,
  ContentInfo,
  EncryptedData,
  type MacData,
  PFX,
  PKCS8ShroudedKeyBag,
  PrivateKeyInfo,
  type SafeBag,
  SafeContents,
} from 'pkijs'
import { decryptPart, UnknownEncryption } from './encryptedParts.ts'
import { Budget, derivePkcs12, TooExpensive, toBmpPassword } from './passwordDigest.ts'

/** The most entries of a file that are read. */
const bagsMax = 1_000
/** Bags may contain bags. */
const deepest = 5

const bags = {
  key: '1.2.840.113549.1.12.10.1.1',
  shroudedKey: '1.2.840.113549.1.12.10.1.2',
  certificate: '1.2.840.113549.1.12.10.1.3',
  contents: '1.2.840.113549.1.12.10.1.6',
}
const friendlyName = '1.2.840.113549.1.9.20'
const localKeyId = '1.2.840.113549.1.9.21'
const hashes: Readonly<Record<string, string>> = {
  '1.3.14.3.2.26': 'sha1',
  '2.16.840.1.101.3.4.2.4': 'sha224',
  '2.16.840.1.101.3.4.2.1': 'sha256',
  '2.16.840.1.101.3.4.2.2': 'sha384',
  '2.16.840.1.101.3.4.2.3': 'sha512',
}

export interface Pkcs12Key {
  readonly alias: string | null
  readonly localKeyId: string | null
  /** Undefined if its form is not known. */
  readonly key: KeyObject | undefined
}

export interface Pkcs12Certificate {
  readonly alias: string | null
  readonly localKeyId: string | null
  readonly certificate: X509Certificate
}

export type Pkcs12Content =
  | {
      readonly type: 'content'
      readonly keys: readonly Pkcs12Key[]
      readonly certificates: readonly Pkcs12Certificate[]
    }
  | { readonly type: 'wrongPassword' }
  /** The password of the file is right, and that of a key in it is not. */
  | { readonly type: 'wrongKeyPassword' }
  | { readonly type: 'unreadable'; readonly reason: string }

/** Never throws. */
export async function readPkcs12(bytes: Uint8Array, password: string, keyPassword: string): Promise<Pkcs12Content> {
  try {
    return await read(bytes, password, keyPassword)
  } catch (error) {
    const isKnown = error instanceof UnknownEncryption || error instanceof TooExpensive
    return { type: 'unreadable', reason: isKnown ? error.message : 'it is damaged, or not a PKCS#12 file' }
  }
}

async function read(bytes: Uint8Array, password: string, keyPassword: string): Promise<Pkcs12Content> {
  const pfx = PFX.fromBER(new Uint8Array(bytes))
  if (pfx.authSafe.contentType !== ContentInfo.DATA) throw new UnknownEncryption('it is protected by a public key')
  const safe = octets(pfx.authSafe.content)
  const budget = new Budget()
  if (pfx.macData !== undefined && !(await hasPassword(pfx.macData, safe, password, budget)))
    return { type: 'wrongPassword' }
  const found: Found = { keys: [], certificates: [], count: 0 }
  for (const info of AuthenticatedSafe.fromBER(safe).safeContents) {
    const contents = await openContents(info, password, budget)
    if (contents === undefined) return { type: 'wrongPassword' }
    const isOpen = await takeBags(contents, keyPassword, budget, found, 0)
    if (!isOpen) return { type: 'wrongKeyPassword' }
  }
  return { type: 'content', keys: found.keys, certificates: found.certificates }
}

async function hasPassword(
  { mac, macSalt, iterations = 1 }: MacData,
  safe: Uint8Array,
  password: string,
  budget: Budget,
): Promise<boolean> {
  const hash = hashes[mac.digestAlgorithm.algorithmId]
  if (hash === undefined) throw new UnknownEncryption(`its MAC is made with ${mac.digestAlgorithm.algorithmId}`)
  const digest = octets(mac.digest)
  const derivation = { salt: octets(macSalt), iterations }
  // Without a password some programs use an empty text, and others none.
  const forms = password === '' ? [toBmpPassword(''), Buffer.alloc(0)] : [toBmpPassword(password)]
  for (const form of forms) {
    const key = await derivePkcs12(3, form, derivation, digest.length, hash, budget)
    const own = createHmac(hash, key).update(safe).digest()
    if (own.length === digest.length && timingSafeEqual(own, digest)) return true
  }
  return false
}

/** @returns undefined if the password is wrong */
async function openContents(info: ContentInfo, password: string, budget: Budget): Promise<SafeContents | undefined> {
  if (info.contentType === ContentInfo.DATA) return SafeContents.fromBER(octets(info.content))
  if (info.contentType !== ContentInfo.ENCRYPTED_DATA) throw new UnknownEncryption('it is protected by a public key')
  const { encryptedContentInfo } = new EncryptedData({ schema: info.content })
  const { contentEncryptionAlgorithm } = encryptedContentInfo
  const text = new Uint8Array(encryptedContentInfo.getEncryptedContent())
  const plain = await decryptPart(contentEncryptionAlgorithm, text, password, budget)
  return plain && parseDecrypted(() => SafeContents.fromBER(new Uint8Array(plain)))
}

interface Found {
  readonly keys: Pkcs12Key[]
  readonly certificates: Pkcs12Certificate[]
  count: number
}

/** @returns false if the password of a key is wrong */
async function takeBags(
  { safeBags }: SafeContents,
  password: string,
  budget: Budget,
  found: Found,
  depth: number,
): Promise<boolean> {
  for (const bag of safeBags) {
    if (++found.count > bagsMax) throw new TooExpensive(`it has more than ${bagsMax} entries`)
    const { bagValue, bagId } = bag
    const names = { alias: readAlias(bag), localKeyId: readLocalKeyId(bag) }
    if (bagValue instanceof SafeContents) {
      if (depth >= deepest) throw new TooExpensive('its entries are nested too deeply')
      if (!(await takeBags(bagValue, password, budget, found, depth + 1))) return false
    } else if (bagValue instanceof CertBag) {
      const certificate = toCertificate(bagValue)
      if (certificate !== undefined) found.certificates.push({ ...names, certificate })
    } else if (bagValue instanceof PKCS8ShroudedKeyBag) {
      const text = octets(bagValue.encryptedData)
      const plain = await decryptPart(bagValue.encryptionAlgorithm, text, password, budget)
      if (plain === undefined) return false
      if (parseDecrypted(() => PrivateKeyInfo.fromBER(new Uint8Array(plain))) === undefined) return false
      found.keys.push({ ...names, key: toKey(plain) })
    } else if (bagId === bags.key && bagValue instanceof PrivateKeyInfo) {
      found.keys.push({ ...names, key: toKey(new Uint8Array(bagValue.toSchema().toBER())) })
    }
  }
  return true
}

/**
 * About one wrong password in 256 decrypts to bytes with valid padding. They are not in ASN.1, so reading them fails. The MAC of the file is
 * no help: it is optional, and it does not depend on the password of a key.
 * @returns undefined if the password is wrong
 */
function parseDecrypted<T>(parse: () => T): T | undefined {
  try {
    return parse()
  } catch {
    return undefined
  }
}

function toCertificate({ certValue }: CertBag): X509Certificate | undefined {
  try {
    return new X509Certificate(octets(certValue))
  } catch {
    return undefined
  }
}

function toKey(der: Uint8Array): KeyObject | undefined {
  try {
    return createPrivateKey({ key: Buffer.from(der), format: 'der', type: 'pkcs8' })
  } catch {
    return undefined
  }
}

function readAttribute({ bagAttributes }: SafeBag, type: string): BaseBlock | undefined {
  const attribute: Attribute | undefined = bagAttributes?.find((one) => one.type === type)
  return attribute?.values[0] as BaseBlock | undefined
}

/** Of at most 200 characters. */
function readAlias(bag: SafeBag): string | null {
  const value = readAttribute(bag, friendlyName)
  return value instanceof BmpString ? value.getValue().slice(0, 200) : null
}

function readLocalKeyId(bag: SafeBag): string | null {
  const value = readAttribute(bag, localKeyId)
  return value instanceof OctetString ? Buffer.from(value.getValue()).toString('hex') : null
}

function octets(block: unknown): Uint8Array<ArrayBuffer> {
  if (block instanceof OctetString) return new Uint8Array(block.getValue())
  throw new Error('There is no octet string.')
}
