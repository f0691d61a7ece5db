/** Checks of requests whose body is the bytes of a file. */
import { Failure } from '../../../spec/core/failure.ts'
import type { HttpRequest } from '../../http/request.ts'

/** A header that must be one whole number. @throws Failure BAD_USER_INPUT */
export function numberHeader({ headers, repeated }: HttpRequest, name: string): number {
  const given = headers.get(name.toLowerCase())
  if (given !== undefined && /^\d{1,15}$/.test(given) && !repeated.has(name.toLowerCase())) return Number(given)
  const problem = `must be one whole number${given === undefined ? ', and is missing' : `, not ${JSON.stringify(given.slice(0, 64))}`}`
  throw new Failure('BAD_USER_INPUT', `${name}: ${problem}`, { details: { field: name, problem } })
}

/** Requires that the body, if there is one, is bytes without an encoding. @throws Failure 415 */
export function requireOctets({ headers, body }: HttpRequest, mediaType = 'application/octet-stream'): void {
  if (!body.isPresent) return
  const encoding = headers.get('content-encoding')?.trim().toLowerCase()
  const type = headers.get('content-type')?.split(';')[0]?.trim().toLowerCase()
  if (type === mediaType && (encoding === undefined || encoding === 'identity')) return
  const given =
    encoding === undefined || encoding === 'identity'
      ? `Content-Type ${type ?? '(none)'}`
      : `Content-Encoding ${encoding}`
  throw new Failure(
    'BAD_USER_INPUT',
    `${given.slice(0, 90)} is not supported: send the bytes as ${mediaType}, without an encoding.`,
    { details: { unsupportedType: true } },
  )
}
