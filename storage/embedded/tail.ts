import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'

/** The last lines of a stream, at most 30, growing while it is read; each line is also given to `each`. */
export function tail(stream: Readable | null, each: (line: string) => void = () => {}): readonly string[] {
  const lines: string[] = []
  if (stream === null) return lines
  // A pipe that breaks has no more lines: its process's end is reported elsewhere.
  stream.on('error', () => {})
  createInterface({ input: stream }).on('line', (line) => {
    lines.push(line)
    if (lines.length > 30) lines.shift()
    each(line)
  })
  return lines
}
