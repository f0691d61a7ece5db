/**
 * Short texts that a caller stores and sends back, signed with HMAC-SHA-256: `<text in base64url>.<key ID>.<signature>`. They are not
 * secret: any holder can read them.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { AppKeys, SigningPurpose } from './appKeys.ts'

export interface Signing {
  sign(text: string): string
  /** Returns the text if `sign` signed it under the current or the previous secret. Otherwise returns undefined. Never throws. */
  open(signed: string): string | undefined
}

/** The signing for each purpose. */
export type Signings = Readonly<Record<SigningPurpose, Signing>>

export function signingsOf(keys: AppKeys): Signings {
  return { importReview: signingFor(keys, 'importReview'), downloadLink: signingFor(keys, 'downloadLink') }
}

const form = /^([\w-]+)\.([0-9a-f]{16})\.([\w-]{43})$/

function signingFor(keys: AppKeys, purpose: SigningPurpose): Signing {
  const signature = (body: string, keyId: string): Buffer | undefined => {
    const key = keys.derive(purpose, keyId)
    return key && createHmac('sha256', key).update(body).digest()
  }
  return {
    sign(text) {
      const body = Buffer.from(text).toString('base64url')
      const keyId = keys.currentKeyId
      return `${body}.${keyId}.${signature(body, keyId)?.toString('base64url')}`
    },
    open(signed) {
      const [, body = '', keyId = '', given = ''] = form.exec(signed) ?? []
      const right = signature(body, keyId)
      if (right === undefined || !timingSafeEqual(right, Buffer.from(given, 'base64url'))) return undefined
      return Buffer.from(body, 'base64url').toString()
    },
  }
}
