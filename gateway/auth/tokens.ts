/** Tokens of 256 random bits and the form in which they are kept. */
import { hash as digest, randomBytes } from 'node:crypto'

/** What a secret is for. Those of webhooks have the form of Standard Webhooks: 32 bytes in plain base64. */
export type SecretPrefix = 'svc_' | 'agent_' | 'enroll_' | 'session_' | 'whsec_'

export function sha256Hex(text: string): string {
  return digest('sha256', text, 'hex')
}

export function newSecret(prefix: SecretPrefix): { token: string; hash: string } {
  const random = randomBytes(32).toString(prefix === 'whsec_' ? 'base64' : 'base64url')
  // A session's token has no prefix: it stands in a cookie and in no scanner's list.
  const token = `${prefix === 'session_' ? '' : prefix}${random}`
  return { token, hash: sha256Hex(token) }
}
