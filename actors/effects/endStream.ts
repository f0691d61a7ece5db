import type { Streams } from '../../storage/ports/streams.ts'
import type { EffectHandler } from '../outbox/dispatcher.ts'
import type { Clock } from '../ports/clock.ts'

interface EndStreamParams {
  readonly stream: string
  /**
   * The number of entries that the writer reported, and the SHA-256 of their concatenated data, in hexadecimal. Null if it did not report
   * them.
   */
  readonly chunks: number | null
  readonly sha256: string | null
}

export interface EndStreamPorts {
  readonly streams: Streams
  readonly clock: Clock
}

/**
 * Ends a finished log with one entry END. Its data is JSON with the count and the SHA-256. A repeat finds that the stream has ended. If
 * two attempts append at once, the second is skipped, because its sequence is known.
 */
export function endStream({ streams, clock }: EndStreamPorts): EffectHandler {
  return async ({ params }) => {
    const { stream, chunks, sha256 } = params as unknown as EndStreamParams
    const head = await streams.head(stream)
    if (head.ended) return undefined
    const data = new TextEncoder().encode(JSON.stringify({ chunks: chunks ?? head.next, sha256 }))
    await streams.append({
      stream,
      sequence: head.next,
      entries: [{ kind: 'END', data }],
      at: clock.now(),
      end: true,
    })
    return undefined
  }
}
