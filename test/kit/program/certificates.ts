/** Authorities and the certificates that they issue, made on the spot. */
import { webcrypto } from 'node:crypto'
import { Integer, PrintableString } from 'asn1js'
import { AttributeTypeAndValue, BasicConstraints, Certificate, Extension } from 'pkijs'
import { engine } from '../../../gateway/operations/devices/enrollment/engine.ts'

export interface Identity {
  readonly certificate: Certificate
  readonly privateKey: CryptoKey
  readonly hash: string
  readonly pem: string
  readonly keyPem: string
}

export interface IdentityOptions {
  readonly name: string
  /** Itself if there is none. */
  readonly issuer?: Identity
  readonly ca?: boolean
  readonly kind?: 'EC' | 'RSA' | 'RSA-1024 with SHA-1'
  readonly from?: Date
  readonly until?: Date
}

let serial = 1

export async function identity(options: IdentityOptions): Promise<Identity> {
  const { name, issuer, ca = false, kind = 'EC', from = new Date(2020, 0), until = new Date(2049, 0) } = options
  const hash = kind === 'RSA-1024 with SHA-1' ? 'SHA-1' : 'SHA-256'
  const { publicKey, privateKey } = await keys(kind, hash)
  const certificate = new Certificate()
  certificate.version = 2
  certificate.serialNumber = new Integer({ value: serial++ })
  certificate.subject.typesAndValues.push(commonName(name))
  certificate.issuer.typesAndValues.push(...(issuer?.certificate.subject.typesAndValues ?? [commonName(name)]))
  certificate.notBefore.value = from
  certificate.notAfter.value = until
  const extnValue = new BasicConstraints({ cA: ca }).toSchema().toBER()
  certificate.extensions = [new Extension({ extnID: '2.5.29.19', critical: true, extnValue })]
  await certificate.subjectPublicKeyInfo.importKey(publicKey, engine)
  await certificate.sign(issuer?.privateKey ?? privateKey, issuer?.hash ?? hash, engine)
  const der = certificate.toSchema(true).toBER()
  const keyDer = await webcrypto.subtle.exportKey('pkcs8', privateKey)
  return {
    certificate,
    privateKey,
    hash,
    pem: pemOf('CERTIFICATE', der),
    keyPem: pemOf('PRIVATE KEY', keyDer),
  }
}

async function keys(kind: IdentityOptions['kind'], hash: string): Promise<CryptoKeyPair> {
  const algorithm =
    kind === 'EC'
      ? { name: 'ECDSA', namedCurve: 'P-256' }
      : {
          name: 'RSASSA-PKCS1-v1_5',
          modulusLength: kind === 'RSA' ? 2048 : 1024,
          publicExponent: new Uint8Array([1, 0, 1]),
          hash,
        }
  return (await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])) as CryptoKeyPair
}

const commonName = (value: string) =>
  new AttributeTypeAndValue({ type: '2.5.4.3', value: new PrintableString({ value }) })

function pemOf(label: string, der: ArrayBuffer): string {
  const lines =
    Buffer.from(der)
      .toString('base64')
      .match(/.{1,64}/g) ?? []
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`
}
