/** The names of uploaded files, and the header that names a downloaded one. */
import { Failure } from '../../../../spec/core/failure.ts'
import { fileNameBytes } from '../../../../spec/runs/attachments.ts'

/** Control characters, and the characters that reverse the text after them and so hide an extension. */
const hidden = /[\p{Cc}\p{Bidi_Control}]/gu

/** The last component of a name, for any operating system. @throws Failure BAD_USER_INPUT */
export function plainFileName(given: string): string {
  const [last = ''] = given.toWellFormed().split(/[\\/]/).slice(-1)
  const name = last.replace(hidden, '').trim()
  if (name === '' || name === '.' || name === '..') throw wrong('must have a file name that is not empty, "." or ".."')
  const size = Buffer.byteLength(name)
  if (size > fileNameBytes) throw wrong(`must have a file name of at most ${fileNameBytes} bytes, not ${size}`)
  return name
}

/** RFC 6266. Clients that do not know `filename*` get a name in ASCII. */
export function attachedAs(name: string): string {
  const ascii = name.replace(/[^\x20-\x7e]/gu, '_').replace(/["\\%]/g, '_')
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`
}

const mediaType = /^[a-z0-9!#$%&'*+.^_`|~-]{1,127}\/[a-z0-9!#$%&'*+.^_`|~-]{1,127}$/

/** The media type without parameters. @throws Failure BAD_USER_INPUT */
export function plainContentType(given: string): string {
  const type = given.trim().toLowerCase()
  if (type === '') return 'application/octet-stream'
  if (mediaType.test(type)) return type
  throw wrong(`must have a Content-Type of the form type/subtype, not ${JSON.stringify(given.slice(0, 64))}`)
}

function wrong(problem: string): Failure {
  return new Failure('BAD_USER_INPUT', `file: ${problem}`, { details: { field: 'file', problem } })
}
