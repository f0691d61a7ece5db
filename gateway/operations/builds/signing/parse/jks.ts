/**
 * Reads a keystore in Java's older format JKS: https://github.com/openjdk/jdk, `sun/security/provider/JavaKeyStore.java`. Numbers are big
 * endian. A keystore has a magic number, its version, its entries, and a SHA-1 over the password, a fixed text and all bytes before it.
 */
import { createHash, createPrivateKey, type KeyObject, timingSafeEqual, X509Certificate } from 'node:crypto'
import { OctetString } from 'asn1js'
import { PKCS8ShroudedKeyBag } from 'pkijs'

const magic = 0xfeedfeed
/** The most entries, and certificates of one entry, that are read. */
const entriesMax = 1_000
const chainMax = 100
const saltBytes = 20
const digestBytes = 20
const keyTag = 1
const certificateTag = 2

export interface JksEntry {
  readonly alias: string
  /** Undefined for an entry that is only a certificate. */
  readonly key: KeyObject | undefined
  readonly certificate: X509Certificate | undefined
}

export type JksContent =
  | { readonly type: 'content'; readonly entries: readonly JksEntry[] }
  | { readonly type: 'wrongPassword' }
  | { readonly type: 'wrongKeyPassword'; readonly alias: string }
  | { readonly type: 'unreadable'; readonly reason: string }

export function isJks(bytes: Buffer): boolean {
  return bytes.length >= 12 && bytes.readUInt32BE(0) === magic
}

/** Never throws. */
export function readJks(bytes: Buffer, password: string, keyPassword: string): JksContent {
  try {
    const end = bytes.length - digestBytes
    const content = bytes.subarray(0, end)
    const digest = createHash('sha1').update(toUtf16(password)).update('Mighty Aphrodite').update(content).digest()
    if (!timingSafeEqual(digest, bytes.subarray(end))) return { type: 'wrongPassword' }
    return readEntries(new Reader(content), keyPassword)
  } catch {
    return { type: 'unreadable', reason: 'it is damaged, or not a keystore' }
  }
}

function readEntries(reader: Reader, keyPassword: string): JksContent {
  reader.int()
  const version = reader.int()
  const count = reader.int()
  if (count > entriesMax) return { type: 'unreadable', reason: `it has more than ${entriesMax} entries` }
  const entries: JksEntry[] = []
  for (let index = 0; index < count; index++) {
    const tag = reader.int()
    const alias = reader.text()
    // The time of its creation.
    reader.bytes(8)
    if (tag === keyTag) {
      const plain = decryptKey(reader.bytes(reader.int()), keyPassword)
      if (plain === undefined) return { type: 'wrongKeyPassword', alias }
      const length = reader.int()
      if (length > chainMax) return { type: 'unreadable', reason: `a chain has more than ${chainMax} certificates` }
      const chain = Array.from({ length }, () => reader.certificate(version))
      entries.push({ alias, key: toKey(plain), certificate: chain[0] })
    } else if (tag === certificateTag) {
      entries.push({ alias, key: undefined, certificate: reader.certificate(version) })
    } else {
      return { type: 'unreadable', reason: 'it has an entry of an unknown kind' }
    }
  }
  return { type: 'content', entries }
}

class Reader {
  readonly #bytes: Buffer
  #at = 0

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  int(): number {
    return this.bytes(4).readUInt32BE(0)
  }

  bytes(length: number): Buffer {
    if (this.#at + length > this.#bytes.length) throw new RangeError('The keystore is truncated.')
    this.#at += length
    return this.#bytes.subarray(this.#at - length, this.#at)
  }

  text(): string {
    return this.bytes(this.bytes(2).readUInt16BE(0)).toString()
  }

  certificate(version: number): X509Certificate | undefined {
    // The type of the certificate, which is always X.509.
    if (version === 2) this.text()
    const der = this.bytes(this.int())
    try {
      return new X509Certificate(der)
    } catch {
      return undefined
    }
  }
}

/** The key is combined with a chain of SHA-1 digests of the password. @returns undefined if the password is wrong */
function decryptKey(shrouded: Buffer, password: string): Buffer | undefined {
  const { encryptedData } = PKCS8ShroudedKeyBag.fromBER(new Uint8Array(shrouded))
  if (!(encryptedData instanceof OctetString)) return undefined
  const protectedKey = Buffer.from(encryptedData.getValue())
  const text = protectedKey.subarray(saltBytes, -digestBytes)
  const secret = toUtf16(password)
  const plain = Buffer.alloc(text.length)
  let digest: Buffer = protectedKey.subarray(0, saltBytes)
  for (let start = 0; start < text.length; start += digestBytes) {
    digest = createHash('sha1').update(secret).update(digest).digest()
    for (let index = 0; index < digestBytes && start + index < text.length; index++)
      plain[start + index] = (text[start + index] ?? 0) ^ (digest[index] ?? 0)
  }
  const check = createHash('sha1').update(secret).update(plain).digest()
  const stored = protectedKey.subarray(-digestBytes)
  return stored.length === check.length && timingSafeEqual(check, stored) ? plain : undefined
}

function toKey(der: Buffer): KeyObject | undefined {
  try {
    return createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
  } catch {
    return undefined
  }
}

const toUtf16 = (password: string): Buffer => Buffer.from(password, 'utf16le').swap16()
