/** Signs profiles: a CMS message that contains the profile and the certificates, so that a device shows the sender. */
import { createHash, createPrivateKey, type KeyObject, webcrypto, X509Certificate } from 'node:crypto'
import { ObjectIdentifier, OctetString, UTCTime } from 'asn1js'
import {
  Attribute,
  Certificate,
  ContentInfo,
  EncapsulatedContentInfo,
  IssuerAndSerialNumber,
  SignedAndUnsignedAttributes,
  SignedData,
  SignerInfo,
} from 'pkijs'
import type { DeviceProfile } from '../../../options.ts'
import { engine } from './engine.ts'

/** @param at of the signature, milliseconds since 1970 */
export type ProfileSigner = (profile: Uint8Array, at: number) => Promise<Uint8Array>

const attributes = {
  contentType: '1.2.840.113549.1.9.3',
  signingTime: '1.2.840.113549.1.9.5',
  messageDigest: '1.2.840.113549.1.9.4',
}
const attributesOfSigner = 0

/** The settings have checked that the key belongs to the certificate and has a supported type. */
export function createProfileSigner({ certificates, key }: DeviceProfile): ProfileSigner {
  const chain = certificates.map((pem) => Certificate.fromBER(new Uint8Array(new X509Certificate(pem).raw)))
  const [own] = chain
  if (own === undefined) throw new TypeError('The certificate chain of the signer is empty.')
  let imported: Promise<CryptoKey> | undefined
  return async (profile, at) => {
    imported ??= importSigningKey(createPrivateKey(key))
    const content = new Uint8Array(profile)
    const digest = new Uint8Array(createHash('sha256').update(content).digest())
    const signed = new SignedData({
      version: 1,
      encapContentInfo: new EncapsulatedContentInfo({
        eContentType: ContentInfo.DATA,
        eContent: new OctetString({ valueHex: content }),
      }),
      certificates: chain,
      signerInfos: [
        new SignerInfo({
          version: 1,
          sid: new IssuerAndSerialNumber({ issuer: own.issuer, serialNumber: own.serialNumber }),
          signedAttrs: new SignedAndUnsignedAttributes({
            type: attributesOfSigner,
            // In the order that DER requires for a set: by encoding, whose lengths come first.
            attributes: [
              new Attribute({
                type: attributes.contentType,
                values: [new ObjectIdentifier({ value: ContentInfo.DATA })],
              }),
              new Attribute({ type: attributes.signingTime, values: [new UTCTime({ valueDate: new Date(at) })] }),
              new Attribute({ type: attributes.messageDigest, values: [new OctetString({ valueHex: digest })] }),
            ],
          }),
        }),
      ],
    })
    await signed.sign(await imported, 0, 'SHA-256', undefined, engine)
    const message = new ContentInfo({ contentType: ContentInfo.SIGNED_DATA, content: signed.toSchema(true) })
    return new Uint8Array(message.toSchema().toBER())
  }
}

const curves: Readonly<Record<string, string>> = { prime256v1: 'P-256', secp384r1: 'P-384', secp521r1: 'P-521' }

async function importSigningKey(key: KeyObject): Promise<CryptoKey> {
  const { asymmetricKeyType, asymmetricKeyDetails } = key
  const algorithm =
    asymmetricKeyType === 'ec'
      ? { name: 'ECDSA', namedCurve: curves[asymmetricKeyDetails?.namedCurve ?? ''] ?? '' }
      : { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' }
  const der = key.export({ type: 'pkcs8', format: 'der' })
  return (await webcrypto.subtle.importKey('pkcs8', new Uint8Array(der), algorithm, false, ['sign'])) as CryptoKey
}
