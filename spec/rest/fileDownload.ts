/** The parts that routes which send a file have in common: ranges of bytes (RFC 9110, section 14). */
import * as v from 'valibot'
import { int } from '../core/types.ts'
import type { Refusal, RestAnswer } from './restRoute.ts'

export const fileRequestHeaders = {
  Range: 'One range of bytes, such as `bytes=0-1023`. Several ranges are ignored, and so is another unit.',
  'If-Range': 'An `ETag`. If the file has another one, `Range` is ignored.',
} as const

/** @param whole the description of the body */
export function fileAnswers(
  whole = 'The file.',
  etag = 'The SHA-256 of the file, in quotation marks.',
): Readonly<Record<200 | 206, RestAnswer>> {
  const headers = {
    'Content-Disposition': 'The name of the file. A browser saves the file and does not show it.',
    ETag: etag,
    'Accept-Ranges': '`bytes`.',
  }
  return {
    200: { description: whole, mediaTypes: ['*/*'], headers },
    206: {
      description: 'The requested bytes of the file.',
      mediaTypes: ['*/*'],
      headers: { ...headers, 'Content-Range': 'The first and the last position, and the size of the file.' },
    },
  }
}

export const beyondEnd: Refusal = {
  code: 'RANGE_NOT_SATISFIABLE',
  extras: { size: v.pipe(int, v.description('The number of bytes of the file.')) },
}
