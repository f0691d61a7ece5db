/** The requests of an iPhone that opens a link: it fetches the profile, and sends the signed answer. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { ObjectIdentifier, OctetString } from 'asn1js'
import {
  Attribute,
  ContentInfo,
  EncapsulatedContentInfo,
  IssuerAndSerialNumber,
  SignedAndUnsignedAttributes,
  SignedData,
  SignerInfo,
} from 'pkijs'
import { engine } from '../../../gateway/operations/devices/enrollment/engine.ts'
import type { Identity } from './certificates.ts'

export type Attributes = Readonly<Record<string, string>>

export const iPhone: Attributes = {
  UDID: '00008110-000A1B2C3D4E5F60',
  PRODUCT: 'iPhone15,2',
  VERSION: '22F76',
  SERIAL: 'F2LXK0AAAA',
  DEVICE_NAME: 'Ada’s iPhone',
}

let phones = 0
/** Another one each time. */
export const anyPhone = (): Attributes => ({
  ...iPhone,
  UDID: `00008110-${(++phones).toString(16).toUpperCase().padStart(16, '0')}`,
})

export function answerText(attributes: Attributes, challenge: string): string {
  const all = { CHALLENGE: challenge, ...attributes }
  const entries = Object.entries(all).map(([key, value]) => `\t<key>${key}</key>\n\t<string>${value}</string>\n`)
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
${entries.join('')}</dict>
</plist>
`
}

export interface SigningOptions {
  /** Other certificates than the signer's. */
  readonly certificates?: readonly Identity[]
  readonly withoutContent?: boolean
  readonly signers?: readonly Identity[]
  /** The signed bytes, if they are not the content. */
  readonly signed?: string
  /** The identity whose key signs, if it is not the signer. */
  readonly keyOf?: Identity
}

/** A CMS message with the text in it. */
export async function signedBy(signer: Identity, text: string, options: SigningOptions = {}): Promise<Uint8Array> {
  const { certificates = [signer], withoutContent = false, signers = [signer], signed = text, keyOf } = options
  const content = new Uint8Array(Buffer.from(text))
  const data = new SignedData({
    version: 1,
    encapContentInfo: new EncapsulatedContentInfo({
      eContentType: ContentInfo.DATA,
      ...(withoutContent ? {} : { eContent: new OctetString({ valueHex: content }) }),
    }),
    certificates: certificates.map(({ certificate }) => certificate),
    signerInfos: signers.map(({ certificate, hash }) => signerInfo(certificate, hash, signed)),
  })
  for (const [index, one] of signers.entries())
    await data.sign((keyOf ?? one).privateKey, index, one.hash, new Uint8Array(Buffer.from(signed)), engine)
  const message = new ContentInfo({ contentType: ContentInfo.SIGNED_DATA, content: data.toSchema(true) })
  return new Uint8Array(message.toSchema().toBER())
}

function signerInfo({ issuer, serialNumber }: Identity['certificate'], hash: string, signed: string): SignerInfo {
  const digest = createHash(hash.replace('-', '')).update(signed).digest()
  return new SignerInfo({
    version: 1,
    sid: new IssuerAndSerialNumber({ issuer, serialNumber }),
    signedAttrs: new SignedAndUnsignedAttributes({
      type: 0,
      attributes: [
        new Attribute({
          type: '1.2.840.113549.1.9.3',
          values: [new ObjectIdentifier({ value: ContentInfo.DATA })],
        }),
        new Attribute({
          type: '1.2.840.113549.1.9.4',
          values: [new OctetString({ valueHex: new Uint8Array(digest) })],
        }),
      ],
    }),
  })
}

export interface Profile {
  /** As it came. */
  readonly bytes: Uint8Array
  readonly headers: Headers
  readonly challenge: string
  readonly url: string
}

/** Fetches the profile of a link and reads the values that a device needs. A signed profile contains the text unchanged. */
export async function fetchProfile(link: string, headers: Readonly<Record<string, string>> = {}): Promise<Profile> {
  const response = await fetch(link, { headers })
  const bytes = new Uint8Array(await response.arrayBuffer())
  const text = Buffer.from(bytes).toString()
  assert.equal(response.status, 200, text)
  const field = (key: string) =>
    new RegExp(`<key>${key}</key><string>([^<]*)</string>`).exec(text)?.[1] ?? assert.fail(`no ${key} in ${text}`)
  return { bytes, headers: response.headers, challenge: field('Challenge'), url: field('URL') }
}

export async function postAnswer(url: string, body: Uint8Array | string): Promise<Response> {
  return await fetch(url, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'content-type': 'application/pkcs7-signature' },
    body: body as BodyInit,
  })
}
