/** Reads a `multipart/form-data` body that has exactly one part, a file. The file is passed on as it arrives. */
import { Busboy, type BusboyFileStream, type BusboyInstance } from '@fastify/busboy'
import { Failure } from '../../spec/core/failure.ts'
import type { HeaderMap, HttpRequest } from './request.ts'

export interface ReceivedFile {
  /** As the sender stated it. It may contain anything. */
  readonly name: string
  /** The media type without parameters, in lower case. As the sender stated it, or an empty text. */
  readonly contentType: string
  readonly bytes: AsyncIterable<Buffer>
}

export interface MultipartOptions {
  /** The name of the form field with the file. */
  readonly field: string
  /** The most bytes of the file. */
  readonly limit: number
  readonly withinMs: number
}

/** The most bytes of a body beside the file: boundaries and the headers of the part. */
const framingBytes = 16 * 1024

/**
 * @param take reads the bytes. It has ended when the promise settles. If the form is refused afterwards, its result is lost
 * @throws Failure BAD_USER_INPUT (415 for another type of body), PAYLOAD_TOO_LARGE, BodyAborted, and the errors of `take`
 */
export async function readFileOfForm<T>(
  request: HttpRequest,
  { field, limit, withinMs }: MultipartOptions,
  take: (file: ReceivedFile) => Promise<T>,
): Promise<T> {
  const parser = createParser(request.headers, limit)
  const refused = Promise.withResolvers<never>()
  refused.promise.catch(() => {})
  let file: BusboyFileStream | undefined
  let taken: Promise<T> | undefined
  const refuse = (problem: string) => refused.reject(wrong(field, problem))
  parser.on('file', (name, stream, fileName, _, contentType) => {
    file = stream
    // Without a listener, a form that ends within the part would end the process.
    stream.on('error', (error: Error) => refuse(`must be a complete part of a form: ${error.message}`))
    if (name !== field) {
      stream.resume()
      return refuse(`must be the name of the field with the file, not ${quoted(name)}`)
    }
    if (fileName === undefined) {
      stream.resume()
      return refuse('must have a file name')
    }
    stream.on('limit', () => refused.reject(tooLarge(limit)))
    taken = take({ name: fileName, contentType, bytes: stream })
    taken.catch(refused.reject)
  })
  parser.on('field', (name) =>
    refuse(
      name === field ? 'must be a file with a file name' : `must be the only field of the form: remove ${quoted(name)}`,
    ),
  )
  parser.on('filesLimit', () => refuse('must be one file'))
  parser.on('error', (error) => refuse(`must be in a well-formed form: ${String(Object(error).message ?? error)}`))
  try {
    await Promise.race([feed(request, parser, limit + framingBytes, withinMs), refused.promise])
    if (taken === undefined) throw wrong(field, 'must be given')
    return await Promise.race([taken, refused.promise])
  } catch (error) {
    file?.destroy(error instanceof Error ? error : undefined)
    await taken?.catch(() => {})
    throw isTooLarge(error) ? tooLarge(limit) : error
  }
}

async function feed(request: HttpRequest, parser: BusboyInstance, limit: number, withinMs: number): Promise<void> {
  const finished = new Promise<void>((resolve) => parser.once('finish', resolve))
  for await (const chunk of request.body.stream(limit, withinMs))
    await new Promise<void>((resolve) => parser.write(chunk, () => resolve()))
  parser.end()
  await finished
}

/** @throws Failure 415, BAD_USER_INPUT */
function createParser(headers: HeaderMap, fileSize: number): BusboyInstance {
  const encoding = headers.get('content-encoding')?.trim().toLowerCase() ?? 'identity'
  if (encoding !== 'identity')
    throw unsupported(`Content-Encoding ${quoted(encoding)} is not supported: send the body uncompressed.`)
  const type = headers.get('content-type') ?? ''
  if (!/^multipart\/form-data(?:;|$)/i.test(type.trim()))
    throw unsupported(`Content-Type ${quoted(type)} is not supported: send the file as multipart/form-data.`)
  try {
    const limits = { files: 1, fields: 1, parts: 2, fieldSize: 1024, fileSize, headerPairs: 20, headerSize: 8 * 1024 }
    return new Busboy({ headers: { 'content-type': type }, limits })
  } catch {
    const problem = 'must have the boundary of the form: Content-Type: multipart/form-data; boundary=…'
    throw new Failure('BAD_USER_INPUT', `Content-Type ${problem}`, { details: { field: 'Content-Type', problem } })
  }
}

function isTooLarge(error: unknown): boolean {
  return error instanceof Failure && error.code === 'PAYLOAD_TOO_LARGE'
}

function tooLarge(limit: number): Failure {
  return new Failure('PAYLOAD_TOO_LARGE', `The file may have at most ${limit} bytes.`, { details: { limit } })
}

function unsupported(message: string): Failure {
  return new Failure('BAD_USER_INPUT', message, { details: { unsupportedType: true } })
}

function wrong(field: string, problem: string): Failure {
  return new Failure('BAD_USER_INPUT', `${field}: ${problem}`, { details: { field, problem } })
}

function quoted(value: unknown): string {
  return JSON.stringify(String(value).slice(0, 64))
}
