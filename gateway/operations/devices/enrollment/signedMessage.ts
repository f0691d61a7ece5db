/**
 * A CMS message that contains its content (RFC 5652), with which a device signs its answer. Parsing verifies nothing: the caller
 * first reads the content, and then verifies the signature if needed.
 */
import { X509Certificate } from 'node:crypto'
import { OctetString } from 'asn1js'
import { Certificate, ContentInfo, type CryptoEngine, SignedData } from 'pkijs'
import { engine } from './engine.ts'

export interface SignedMessage {
  readonly content: Uint8Array
  /** The certificate of the only signer, if the signature over the content was made with its key. */
  signer(): Promise<X509Certificate | undefined>
  /** All certificates in the message. They are not verified. */
  readonly certificates: readonly X509Certificate[]
}

/** Undefined if the bytes are not a signed message in the form that devices send. */
export function readSignedMessage(bytes: Uint8Array): SignedMessage | undefined {
  try {
    const { contentType, content } = ContentInfo.fromBER(new Uint8Array(bytes))
    if (contentType !== ContentInfo.SIGNED_DATA) return undefined
    const signed = new SignedData({ schema: content })
    const { eContentType, eContent } = signed.encapContentInfo
    if (eContentType !== ContentInfo.DATA || !(eContent instanceof OctetString)) return undefined
    if (signed.signerInfos.length !== 1) return undefined
    return {
      content: new Uint8Array(eContent.getValue()),
      signer: () => verifySigner(signed, engine),
      certificates: (signed.certificates ?? []).flatMap((one) =>
        one instanceof Certificate ? (parseCertificate(one) ?? []) : [],
      ),
    }
  } catch {
    // The libraries throw if they cannot parse the bytes.
    return undefined
  }
}

async function verifySigner(signed: SignedData, crypto: CryptoEngine): Promise<X509Certificate | undefined> {
  try {
    const { signatureVerified, signerCertificate } = await signed.verify({ signer: 0, extendedMode: true }, crypto)
    return signatureVerified === true && signerCertificate ? parseCertificate(signerCertificate) : undefined
  } catch {
    return undefined
  }
}

function parseCertificate(certificate: Certificate): X509Certificate | undefined {
  try {
    return new X509Certificate(new Uint8Array(certificate.toSchema().toBER()))
  } catch {
    return undefined
  }
}
