import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'

/** The last lines of a stream, at most 30. The array grows while the stream is read. `each` receives each line. */
export function tail(stream: Readable | null, each: (line: string) => void = () => {}): readonly string[] {
  const lines: string[] = []
  if (stream === null) return lines
  // A broken pipe has no more lines. The end of its process is reported elsewhere.
  stream.on('error', () => {})
  createInterface({ input: stream }).on('line', (line) => {
    lines.push(line)
    if (lines.length > 30) lines.shift()
    each(line)
  })
  return lines
}
