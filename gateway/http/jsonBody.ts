/** Reads a request body as JSON: one media type, one charset, no compression. Anything else is rejected with 415. */
import { Failure } from '../../spec/core/failure.ts'
import type { HeaderMap, HttpRequest } from './request.ts'

/** @throws Failure 415 */
export function checkJsonHeaders(headers: HeaderMap): void {
  const encoding = headers.get('content-encoding')?.trim().toLowerCase()
  if (encoding !== undefined && encoding !== '' && encoding !== 'identity')
    throw unsupported(`Content-Encoding ${quoted(encoding)} is not supported: send the body uncompressed.`)
  const given = headers.get('content-type')
  if (given === undefined) throw unsupported('Content-Type is missing: send the body as application/json.')
  const [type = '', ...parameters] = given.split(';').map((part) => part.trim().toLowerCase())
  if (type !== 'application/json')
    throw unsupported(`Content-Type ${quoted(type)} is not supported: send the body as application/json.`)
  const charset = parameters.find((one) => one.startsWith('charset='))?.slice('charset='.length)
  if (charset !== undefined && !/^"?utf-?8"?$/.test(charset))
    throw unsupported(`The charset ${quoted(charset)} is not supported: send the body in UTF-8.`)
}

/** @throws Failure 415, BAD_USER_INPUT, PAYLOAD_TOO_LARGE */
export async function readJson({ headers, body }: HttpRequest, limit: number): Promise<unknown> {
  checkJsonHeaders(headers)
  return parseJson((await body.read(limit)).toString())
}

/** @throws Failure BAD_USER_INPUT */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Failure('BAD_USER_INPUT', 'The body is not JSON.')
  }
}

function unsupported(message: string): Failure {
  return new Failure('BAD_USER_INPUT', message, { details: { unsupportedType: true } })
}

function quoted(value: string): string {
  return JSON.stringify(value.slice(0, 64))
}
