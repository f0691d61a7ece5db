/**
 * Returns whether exactly one header defines the end of the body. A proxy that reads an ambiguous request differently would let one
 * request hide in another's body. Source: RFC 9112, section 6.3; OWASP ASVS 5.0, 4.2.1.
 */
import type { RequestHead } from './request.ts'

export function isPlainlyFramed({ headers, repeated }: Pick<RequestHead, 'headers' | 'repeated'>): boolean {
  const encoding = headers.get('transfer-encoding')
  if (repeated.has('content-length')) return false
  return encoding === undefined || (encoding.toLowerCase() === 'chunked' && !headers.has('content-length'))
}
