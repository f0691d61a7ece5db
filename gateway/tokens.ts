/** Tokens of 256 random bits and the form in which they are kept. */
import { hash as digest, randomBytes } from 'node:crypto'

export function sha256Hex(text: string): string {
  return digest('sha256', text, 'hex')
}

export function newSecret(prefix: 'svc_' | 'agent_' | 'enroll_' | 'session_'): { token: string; hash: string } {
  // A session's token has no prefix: it stands in a cookie and in no scanner's list.
  const token = `${prefix === 'session_' ? '' : prefix}${randomBytes(32).toString('base64url')}`
  return { token, hash: sha256Hex(token) }
}
