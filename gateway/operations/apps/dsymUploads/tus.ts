/** The parts of tus 1.0 that differ from plain HTTP. Source: the tus protocol 1.0.0 (tus.io). */
import { chunkType, tusExtensions, tusVersion } from '../../../../spec/apps/dsymUploadRoutes.ts'
import { Failure } from '../../../../spec/core/failure.ts'
import { restRefusal } from '../../../http/failures.ts'
import type { HttpRequest } from '../../../http/request.ts'
import type { Answer } from '../../../http/route.ts'
import { numberHeader } from '../../core/octets.ts'
import { wrongField } from '../../core/wrongField.ts'

/** The answer to OPTIONS. */
export const tusCapabilities = (maxBytes: number): Readonly<Record<string, string>> => ({
  'tus-resumable': tusVersion,
  'tus-version': tusVersion,
  'tus-max-size': String(maxBytes),
  'tus-extension': tusExtensions.join(','),
})

export const isTus = ({ headers }: HttpRequest): boolean => headers.has('tus-resumable')

/** Each answer to a client of tus states the version, also a refusal. Other clients get the answers without it. */
export async function answerTus(request: HttpRequest, answer: () => Promise<Answer>): Promise<Answer> {
  if (!isTus(request)) return await answer()
  try {
    requireVersion(request)
    return withVersion(await answer())
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return withVersion(restRefusal(error, request))
  }
}

function withVersion(answer: Answer): Answer {
  return { ...answer, headers: { ...answer.headers, 'tus-resumable': tusVersion, 'tus-version': tusVersion } }
}

function requireVersion({ headers }: HttpRequest): void {
  const given = headers.get('tus-resumable') ?? ''
  if (given === tusVersion) return
  const problem = `must be ${tusVersion}, not ${JSON.stringify(given.slice(0, 64))}`
  throw new Failure('BAD_USER_INPUT', `Tus-Resumable: ${problem}`, {
    details: { field: 'Tus-Resumable', problem, unsupportedVersion: true },
  })
}

/** The input of a creation, as its headers state it. */
export function readCreation(request: HttpRequest): Record<string, unknown> {
  if (request.headers.has('upload-defer-length'))
    throw wrongField('Upload-Defer-Length', 'is not supported: state the size in Upload-Length')
  const { filename, sha256 } = readMetadata(request.headers.get('upload-metadata') ?? '')
  return {
    size: numberHeader(request, 'Upload-Length'),
    ...(filename === undefined ? {} : { filename }),
    ...(sha256 === undefined ? {} : { sha256 }),
  }
}

/** Pairs of a key and a value in Base64. The keys that are not used here are ignored. */
function readMetadata(text: string): Readonly<Record<string, string | undefined>> {
  const pairs = text.split(',').flatMap((pair) => {
    const [key = '', value = ''] = pair.trim().split(' ')
    if (key === '') return []
    if (!/^[A-Za-z0-9+/]*={0,2}$/.test(value))
      throw wrongField('Upload-Metadata', `has a value of ${JSON.stringify(key.slice(0, 64))} that is not Base64`)
    return [[key, Buffer.from(value, 'base64').toString()] as const]
  })
  return Object.fromEntries(pairs)
}

export function metadataOf({ name, sha256 }: { readonly name: string; readonly sha256: string }): string {
  const encode = (text: string): string => Buffer.from(text).toString('base64')
  return `filename ${encode(name)},sha256 ${encode(sha256)}`
}

/** Whether a creation has the first bytes in its body. */
export const hasFirstBytes = ({ headers, body }: HttpRequest): boolean =>
  body.isPresent && headers.get('content-type')?.split(';', 1)[0]?.trim().toLowerCase() === chunkType
