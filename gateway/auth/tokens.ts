/** Creates tokens of 256 random bits and their stored form. */
import { hash as digest, randomBytes } from 'node:crypto'

/** The purpose of a secret. Secrets of webhooks have the form of Standard Webhooks: 32 bytes in plain base64. */
export type SecretPrefix = 'svc_' | 'agent_' | 'enroll_' | 'session_' | 'whsec_'

export function sha256Hex(text: string): string {
  return digest('sha256', text, 'hex')
}

export function newSecret(prefix: SecretPrefix): { token: string; hash: string } {
  const random = randomBytes(32).toString(prefix === 'whsec_' ? 'base64' : 'base64url')
  // The token of a session has no prefix: it is sent in a cookie, and no secret scanner searches for it.
  const token = `${prefix === 'session_' ? '' : prefix}${random}`
  return { token, hash: sha256Hex(token) }
}
