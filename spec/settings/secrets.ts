import { createPrivateKey, X509Certificate } from 'node:crypto'
import * as v from 'valibot'

/**
 * 32 random bytes, in hex or base64 (either alphabet). Text that only happens to have the right length is refused: a
 * passphrase, or the base64 of one, has far less than the 256 bits that keys are derived from. Random bytes fail these
 * checks less than once in 10^9.
 */
export const secretBytes = v.pipe(
  v.string(),
  v.transform((text): Uint8Array => decode(text) ?? new Uint8Array()),
  v.check((bytes) => bytes.length === 32 && isRandom(bytes)),
)

/** A private key in PEM; `\n` may stand for its line breaks, which many environments can't hold. */
export const privateKey = v.pipe(
  v.string(),
  v.transform(withLineBreaks),
  v.check((pem) => succeeds(() => createPrivateKey(pem))),
)

/** As above, of the one curve that Apple signs with. */
export const p256Key = v.pipe(
  privateKey,
  v.check((pem) => createPrivateKey(pem).asymmetricKeyDetails?.namedCurve === 'prime256v1'),
)

/** One certificate or more in PEM, as above; each as a text of its own. */
export const certificates = v.pipe(
  v.string(),
  v.transform(withLineBreaks),
  v.transform((pem) => pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []),
  v.check((pems) => pems.length > 0 && pems.every((pem) => succeeds(() => new X509Certificate(pem)))),
)

/** What is wrong with a private key for signing with this certificate, as the end of a sentence; texts in PEM. */
export function signerProblem(certificate: string, key: string): string | undefined {
  const privateKey = createPrivateKey(key)
  const { asymmetricKeyType: type, asymmetricKeyDetails } = privateKey
  const known = type === 'rsa' || (type === 'ec' && curves.has(asymmetricKeyDetails?.namedCurve ?? ''))
  if (!known) return 'must be an RSA key, or one of P-256, P-384 or P-521'
  const matches = new X509Certificate(certificate).checkPrivateKey(privateKey)
  return matches ? undefined : 'must be the key of the first certificate of DEVICE_PROFILE_CERT'
}

const curves: ReadonlySet<string> = new Set(['prime256v1', 'secp384r1', 'secp521r1'])

function decode(text: string): Uint8Array | undefined {
  if (/^[0-9a-f]{64}$/i.test(text)) return new Uint8Array(Buffer.from(text, 'hex'))
  if (!/^[A-Za-z0-9+/_-]{43}=?$/.test(text)) return undefined
  const bytes = Buffer.from(text, 'base64')
  // Only what an encoder writes, and with letters of both cases: 43 letters of a sentence are neither.
  const canonical = bytes.toString('base64url') === text.replace(/=$/, '').replaceAll('+', '-').replaceAll('/', '_')
  return canonical && /[a-z]/.test(text) && /[A-Z]/.test(text) ? new Uint8Array(bytes) : undefined
}

function isRandom(bytes: Uint8Array): boolean {
  const printable = bytes.every((byte) => byte >= 0x20 && byte < 0x7f)
  return !printable && new Set(bytes).size >= 16
}

function withLineBreaks(pem: string): string {
  return pem.replaceAll('\\n', '\n')
}

function succeeds(attempt: () => unknown): boolean {
  try {
    attempt()
    return true
  } catch {
    return false
  }
}
