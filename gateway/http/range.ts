/** Single byte ranges (RFC 9110, section 14). */
import { Failure } from '../../spec/core/failure.ts'
import type { HeaderMap } from './request.ts'

/** Positions of bytes; `to` is exclusive. */
export interface ByteRange {
  readonly from: number
  readonly to: number
}

/**
 * The range that a request asks for. Undefined if the answer is the whole file: without `Range`, with several ranges, with another unit,
 * and if `If-Range` names another version of the file.
 *
 * @param etag of the file, in quotation marks
 * @throws Failure RANGE_NOT_SATISFIABLE
 */
export function requestedRange(headers: HeaderMap, size: number, etag: string): ByteRange | undefined {
  const condition = headers.get('if-range')
  if (condition !== undefined && condition.trim() !== etag) return undefined
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/i.exec(headers.get('range')?.trim() ?? '') ?? []
  if (first === '' && last === '') return undefined
  // `-500` means the last 500 bytes.
  const from = first === '' ? Math.max(0, size - Number(last)) : Number(first)
  const to = first === '' || last === '' ? size : Math.min(Number(last) + 1, size)
  if (first !== '' && last !== '' && Number(last) < Number(first)) return undefined
  if (from < size) return { from, to }
  throw new Failure('RANGE_NOT_SATISFIABLE', `The file has ${size} bytes. Request a range that begins within it.`, {
    details: { size },
  })
}
