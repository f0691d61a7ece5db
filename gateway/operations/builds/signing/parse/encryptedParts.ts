/** Decrypts the parts of a PKCS#12 file: PBES2 (RFC 8018), and the older schemes of RFC 7292 that Keychain Access still writes. */
import { createDecipheriv } from 'node:crypto'
import { type BaseBlock, Integer, ObjectIdentifier, OctetString, Sequence } from 'asn1js'
import { type Budget, type Derivation, derivePbkdf2, derivePkcs12, toBmpPassword } from './passwordDigest.ts'
import { decryptRc2 } from './rc2.ts'

/** The file is encrypted in a way that is not known here. */
export class UnknownEncryption extends Error {
  override name = 'UnknownEncryption'
}

interface Encryption {
  readonly algorithmId: string
  readonly algorithmParams?: unknown
}

const pbes2 = '1.2.840.113549.1.5.13'
const pbkdf2 = '1.2.840.113549.1.5.12'
const olderSchemes: Readonly<Record<string, { readonly cipher: 'des' | 'rc2'; readonly keyBytes: number }>> = {
  '1.2.840.113549.1.12.1.3': { cipher: 'des', keyBytes: 24 },
  '1.2.840.113549.1.12.1.4': { cipher: 'des', keyBytes: 16 },
  '1.2.840.113549.1.12.1.5': { cipher: 'rc2', keyBytes: 16 },
  '1.2.840.113549.1.12.1.6': { cipher: 'rc2', keyBytes: 5 },
}
const ciphers: Readonly<Record<string, { readonly name: string; readonly keyBytes: number }>> = {
  '2.16.840.1.101.3.4.1.2': { name: 'aes-128-cbc', keyBytes: 16 },
  '2.16.840.1.101.3.4.1.22': { name: 'aes-192-cbc', keyBytes: 24 },
  '2.16.840.1.101.3.4.1.42': { name: 'aes-256-cbc', keyBytes: 32 },
  '1.2.840.113549.3.7': { name: 'des-ede3-cbc', keyBytes: 24 },
}
const hashes: Readonly<Record<string, string>> = {
  '1.2.840.113549.2.7': 'sha1',
  '1.2.840.113549.2.8': 'sha224',
  '1.2.840.113549.2.9': 'sha256',
  '1.2.840.113549.2.10': 'sha384',
  '1.2.840.113549.2.11': 'sha512',
}

/**
 * @returns undefined if the password is wrong or the part is damaged
 * @throws UnknownEncryption, TooExpensive
 */
export async function decryptPart(
  { algorithmId, algorithmParams }: Encryption,
  text: Uint8Array,
  password: string,
  budget: Budget,
): Promise<Buffer | undefined> {
  const older = olderSchemes[algorithmId]
  if (older !== undefined) return await decryptOlder(older, algorithmParams, text, password, budget)
  if (algorithmId !== pbes2) throw new UnknownEncryption(`it is encrypted with ${algorithmId}`)
  const [derivation, encryption] = items(algorithmParams)
  const [cipherId, iv] = items(encryption)
  const cipher = ciphers[oid(cipherId)]
  if (cipher === undefined) throw new UnknownEncryption(`it is encrypted with ${oid(cipherId)}`)
  const [derivationId, parameters] = items(derivation)
  if (oid(derivationId) !== pbkdf2) throw new UnknownEncryption(`its key is derived with ${oid(derivationId)}`)
  const parts = items(parameters)
  // The first two are the salt and the iterations. The others are optional, and the algorithm is the only sequence.
  const algorithm = parts.find((part) => part instanceof Sequence)
  const hash = algorithm === undefined ? 'sha1' : hashes[oid(items(algorithm)[0])]
  if (hash === undefined) throw new UnknownEncryption('its key is derived with an unknown hash')
  const derived = await derivePbkdf2(Buffer.from(password), readDerivation(parts), cipher.keyBytes, hash, budget)
  return decrypt(cipher.name, derived, octets(iv), text)
}

async function decryptOlder(
  { cipher, keyBytes }: { readonly cipher: 'des' | 'rc2'; readonly keyBytes: number },
  parameters: unknown,
  text: Uint8Array,
  password: string,
  budget: Budget,
): Promise<Buffer | undefined> {
  const derivation = readDerivation(items(parameters))
  const bmp = toBmpPassword(password)
  const key = await derivePkcs12(1, bmp, derivation, keyBytes, 'sha1', budget)
  const iv = await derivePkcs12(2, bmp, derivation, 8, 'sha1', budget)
  if (cipher === 'rc2') return decryptRc2(key, iv, text)
  // Two keys: the first one is used again.
  return decrypt('des-ede3-cbc', Buffer.concat([key, key.subarray(0, 24 - keyBytes)]), iv, text)
}

function decrypt(name: string, key: Uint8Array, iv: Uint8Array, text: Uint8Array): Buffer | undefined {
  try {
    const decipher = createDecipheriv(name, key, iv)
    return Buffer.concat([decipher.update(text), decipher.final()])
  } catch {
    return undefined
  }
}

function readDerivation([salt, iterations]: readonly BaseBlock[]): Derivation {
  return { salt: octets(salt), iterations: iterations instanceof Integer ? iterations.valueBlock.valueDec : 0 }
}

function items(block: unknown): BaseBlock[] {
  if (block instanceof Sequence) return block.valueBlock.value as BaseBlock[]
  throw new UnknownEncryption('its parameters are damaged')
}

function oid(block: BaseBlock | undefined): string {
  return block instanceof ObjectIdentifier ? block.valueBlock.toString() : 'an unknown algorithm'
}

function octets(block: BaseBlock | undefined): Uint8Array {
  if (block instanceof OctetString) return new Uint8Array(block.getValue())
  throw new UnknownEncryption('its parameters are damaged')
}
