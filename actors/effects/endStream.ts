import type { Streams } from '../../storage/ports/streams.ts'
import type { EffectHandler } from '../outbox/dispatcher.ts'
import type { Clock } from '../ports/clock.ts'

interface EndStream {
  readonly stream: string
  /** Entries that the writer says it wrote, and the SHA-256 of their data put together, hexadecimal; null where it did not say. */
  readonly chunks: number | null
  readonly sha256: string | null
}

export interface EndStreamPorts {
  readonly streams: Streams
  readonly clock: Clock
}

/**
 * A finished log ends with one entry END whose data is JSON: count and SHA-256. Done twice, it changes nothing: an entry whose
 * sequence is known is passed over.
 */
export function endStream({ streams, clock }: EndStreamPorts): EffectHandler {
  return async ({ params }) => {
    const { stream, chunks, sha256 } = params as unknown as EndStream
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
