/** Headers of requests that send or read bytes. */
import { Failure } from '../../../../spec/core/failure.ts'
import type { HttpRequest } from '../../../http/request.ts'

/** @throws Failure BAD_USER_INPUT */
export function numberIn({ headers, repeated }: HttpRequest, name: string): number {
  const given = headers.get(name.toLowerCase())
  if (given !== undefined && /^\d{1,15}$/.test(given) && !repeated.has(name.toLowerCase())) return Number(given)
  const problem = `must be one whole number${given === undefined ? ', and is missing' : `, not ${JSON.stringify(given.slice(0, 64))}`}`
  throw new Failure('BAD_USER_INPUT', `${name}: ${problem}`, { details: { field: name, problem } })
}

/** @throws Failure 415 */
export function requireBytes({ headers, body }: HttpRequest, mediaType: string): void {
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
