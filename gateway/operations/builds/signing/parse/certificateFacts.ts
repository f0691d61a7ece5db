import type { X509Certificate } from 'node:crypto'
import type { CertificateFacts } from '../../../../../spec/builds/signing/signingFacts.ts'

/** The longest name that is kept. */
const longest = 200

/** The facts of a certificate. Times are milliseconds since 1970. */
export function readCertificateFacts(certificate: X509Certificate, hasPrivateKey: boolean): CertificateFacts {
  const subject = toNames(certificate.subject)
  return {
    commonName: subject.get('CN') ?? null,
    organization: subject.get('O') ?? null,
    teamId: subject.get('OU') ?? null,
    serialNumber: certificate.serialNumber.slice(0, longest),
    sha1: toHex(certificate.fingerprint),
    sha256: toHex(certificate.fingerprint256),
    notBefore: Date.parse(certificate.validFrom),
    notAfter: Date.parse(certificate.validTo),
    hasPrivateKey,
  }
}

const toHex = (fingerprint: string): string => fingerprint.replaceAll(':', '').toLowerCase()

/** The first value of each name. Node prints one `NAME=value` in each line, and escapes special characters. */
function toNames(subject: string): ReadonlyMap<string, string> {
  const names = new Map<string, string>()
  for (const line of subject.split('\n')) {
    const [, name = '', value = ''] = /^(\w+)=(.*)$/.exec(line) ?? []
    if (name !== '' && !names.has(name)) names.set(name, clean(value.replaceAll(/\\(.)/g, '$1')).slice(0, longest))
  }
  return names
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is taken out
const controls = /[\u0000-\u001f\u007f\ud800-\udfff]/gu

/** A text from a file, without control characters. */
export function clean(value: string): string {
  return value.replace(controls, '')
}
