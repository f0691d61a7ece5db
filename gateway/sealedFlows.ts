/**
 * What the browser keeps of a sign-in that is under way at the provider. It is sealed, since it holds what the provider's answer
 * is checked against, and it stands in a cookie, so that any process can take the answer.
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

export interface SealedFlows {
  seal(text: string): string
  /** Undefined where it was not sealed here, or was changed. */
  open(sealed: string): string | undefined
}

const cipher = 'aes-256-gcm'
const ivBytes = 12
const tagBytes = 16

/** @param secret `APP_SECRET`; @param previous `APP_SECRET_PREVIOUS`, whose flows still end */
export function sealedFlows(secret: Uint8Array, previous?: Uint8Array): SealedFlows {
  const current = keyOf(secret)
  const keys = previous === undefined ? [current] : [current, keyOf(previous)]
  return {
    seal(text) {
      const iv = randomBytes(ivBytes)
      const sealing = createCipheriv(cipher, current, iv)
      return Buffer.concat([iv, sealing.update(text, 'utf8'), sealing.final(), sealing.getAuthTag()]).toString(
        'base64url',
      )
    },
    open(sealed) {
      const bytes = Buffer.from(sealed, 'base64url')
      if (bytes.length < ivBytes + tagBytes) return undefined
      for (const key of keys) {
        const text = opened(bytes, key)
        if (text !== undefined) return text
      }
      return undefined
    },
  }
}

function keyOf(secret: Uint8Array): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', 'signalbox sign-in flow', 32))
}

function opened(bytes: Buffer, key: Buffer): string | undefined {
  const opening = createDecipheriv(cipher, key, bytes.subarray(0, ivBytes), { authTagLength: tagBytes })
  opening.setAuthTag(bytes.subarray(-tagBytes))
  try {
    return opening.update(bytes.subarray(ivBytes, -tagBytes)).toString('utf8') + opening.final('utf8')
  } catch {
    return undefined
  }
}
