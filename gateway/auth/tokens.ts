/** Tokens of 256 random bits and the form in which they are kept. */
import { hash as digest, randomBytes } from 'node:crypto'
import type { SecretPrefix } from '../operations/requestContext.ts'

export function sha256Hex(text: string): string {
  return digest('sha256', text, 'hex')
}

export function newSecret(prefix: SecretPrefix): { token: string; hash: string } {
  const random = randomBytes(32).toString(prefix === 'whsec_' ? 'base64' : 'base64url')
  // A session's token has no prefix: it stands in a cookie and in no scanner's list.
  const token = `${prefix === 'session_' ? '' : prefix}${random}`
  return { token, hash: sha256Hex(token) }
}
