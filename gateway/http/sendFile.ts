/** Writes a response whose size is known before its bytes are read: `content-length`, then the bytes at the speed of the caller. */
import { type ResponseOptions, waitsForRoom, writeHead } from './answer.ts'
import type { HttpRequest } from './request.ts'
import type { Answer } from './route.ts'
import type { UwsResponse } from './uws.ts'

export interface FileAnswer extends Answer {
  readonly stream: ReadableStream<Uint8Array>
  readonly length: number
}

/**
 * Resolves when all bytes are written, or the caller has disconnected. If the stream fails or ends early, the connection closes, so that
 * the caller does not take a part for the whole.
 */
export async function sendFile(
  res: UwsResponse,
  request: HttpRequest,
  answer: FileAnswer,
  delivery: ResponseOptions,
): Promise<void> {
  const { stream, length } = answer
  const { lifetime } = request
  if (request.method === 'HEAD' || length === 0) {
    await stream.cancel()
    if (lifetime.gone) return
    res.cork(() => {
      writeHead(res, request, answer, delivery)
      res.endWithoutBody(length, delivery.close)
    })
    return
  }
  const reader = stream.getReader()
  lifetime.signal.addEventListener('abort', () => void reader.cancel('the caller went away').catch(() => {}))
  const writable = waitsForRoom(res, lifetime.signal)
  let begun = false
  for (;;) {
    const { value } = await reader.read().catch(() => ({ value: undefined }))
    if (lifetime.gone) return
    if (value === undefined) {
      res.close()
      return
    }
    for (let rest = value; rest.length > 0; ) {
      const before = begun ? res.getWriteOffset() : 0
      let sent: readonly [boolean, boolean] = [false, false]
      res.cork(() => {
        if (!begun) writeHead(res, request, answer, delivery)
        begun = true
        sent = res.tryEnd(rest, length)
      })
      const [isTaken, isDone] = sent
      if (isDone) return
      if (isTaken) break
      await writable()
      if (lifetime.gone) return
      rest = rest.subarray(res.getWriteOffset() - before)
    }
  }
}
