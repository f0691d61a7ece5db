/**
 * A CMS message with its content in it (RFC 5652), as a device signs its answer. Reading it proves nothing: who holds it asks for its
 * content first, and whether its signature is right where that is worth the work.
 */
import { X509Certificate } from 'node:crypto'
import { OctetString } from 'asn1js'
import { Certificate, ContentInfo, type CryptoEngine, SignedData } from 'pkijs'
import { engine } from './engine.ts'

export interface SignedMessage {
  readonly content: Uint8Array
  /** The certificate of its one signer, where the signature over the content is by its key. */
  signer(): Promise<X509Certificate | undefined>
  /** All certificates in it. Nothing vouches for them. */
  readonly certificates: readonly X509Certificate[]
}

/** Undefined where the bytes are no signed message, or one of another form than devices send. */
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
      signer: () => signerOf(signed, engine),
      certificates: (signed.certificates ?? []).flatMap((one) =>
        one instanceof Certificate ? (plain(one) ?? []) : [],
      ),
    }
  } catch {
    // Its libraries throw at whatever they do not understand.
    return undefined
  }
}

async function signerOf(signed: SignedData, crypto: CryptoEngine): Promise<X509Certificate | undefined> {
  try {
    const { signatureVerified, signerCertificate } = await signed.verify({ signer: 0, extendedMode: true }, crypto)
    return signatureVerified === true && signerCertificate ? plain(signerCertificate) : undefined
  } catch {
    return undefined
  }
}

function plain(certificate: Certificate): X509Certificate | undefined {
  try {
    return new X509Certificate(new Uint8Array(certificate.toSchema().toBER()))
  } catch {
    return undefined
  }
}
