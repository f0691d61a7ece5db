/** A chunk of a job's output, as the API returns it. */

export type Stream = 'STDOUT' | 'STDERR' | 'SYSTEM'

export interface Chunk {
  readonly sequence: number
  readonly stream: Stream | 'END'
  readonly dataBase64: string
}

export function bytesOf({ dataBase64 }: Chunk): Uint8Array {
  const text = atob(dataBase64)
  const bytes = new Uint8Array(text.length)
  for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at)
  return bytes
}
