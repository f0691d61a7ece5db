import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import * as v from 'valibot'

/**
 * 32 random bytes in hex or base64 (either alphabet). A passphrase of the right length, or the base64 of one, is refused:
 * it has far less than the 256 bits that keys are derived from. Random bytes fail these checks less than once in 10^9.
 */
export const secretBytes = v.pipe(
  v.string(),
  v.transform((text): Uint8Array => decode(text) ?? new Uint8Array()),
  v.check((bytes) => bytes.length === 32 && isRandom(bytes), '32 random bytes in base64 or hex, never a passphrase'),
)

/** PEM text. `\n` may replace line breaks, which many environments cannot hold. */
const pem = v.pipe(
  v.string(),
  v.transform((text) => text.replaceAll('\\n', '\n')),
)

export const privateKey = v.pipe(
  pem,
  v.check((text) => parsePrivateKey(text) !== undefined, 'a private key in PEM'),
)

export const apnsKey = v.pipe(
  pem,
  v.check(
    (text) => parsePrivateKey(text)?.asymmetricKeyDetails?.namedCurve === 'prime256v1',
    'the private key of a .p8 file in PEM',
  ),
)

/** One or more certificates. The value is one text for each. */
export const certificates = (rule: string) =>
  v.pipe(
    pem,
    v.transform((text) => text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []),
    v.check((texts) => texts.length > 0 && texts.every(isCertificate), rule),
  )

/** Returns why a certificate's profiles cannot be signed with a private key, as the end of a sentence. Both are PEM texts. */
export function describeSignerProblem(certificate: string, key: string): string | undefined {
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
  // Only encoder output with letters of both cases is accepted. 43 letters of a sentence have neither property.
  const canonical = bytes.toString('base64url') === text.replace(/=$/, '').replaceAll('+', '-').replaceAll('/', '_')
  return canonical && /[a-z]/.test(text) && /[A-Z]/.test(text) ? new Uint8Array(bytes) : undefined
}

function isRandom(bytes: Uint8Array): boolean {
  const printable = bytes.every((byte) => byte >= 0x20 && byte < 0x7f)
  return !printable && new Set(bytes).size >= 16
}

function parsePrivateKey(text: string): KeyObject | undefined {
  try {
    return createPrivateKey(text)
  } catch {
    return undefined
  }
}

function isCertificate(text: string): boolean {
  try {
    return new X509Certificate(text) !== undefined
  } catch {
    return false
  }
}
