/** Limits the size of each message of a body while it is read, and reports the end of the body. */
import { OutboundFailed } from '../../../../spec/core/outboundFailed.ts'

export interface BodyLimits {
  readonly host: string
  /** The most bytes of one event of an event stream. If the body is no event stream: of the whole body. */
  readonly maxBytes: number
  readonly events: boolean
  /** Called once when the body has ended, with the error if it failed. It is not called if the reader cancels. */
  onEnd(reason?: unknown): void
}

export function limitBody(
  body: ReadableStream<Uint8Array>,
  { host, maxBytes, events, onEnd }: BodyLimits,
): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  const count = events ? countLargestEvent() : countWholeBody()
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read()
          if (done) {
            controller.close()
            onEnd()
            return
          }
          if (count(value) > maxBytes)
            throw new OutboundFailed('TOO_LARGE', `${host} sent a message of more than ${maxBytes} bytes.`)
          controller.enqueue(value)
        } catch (error) {
          controller.error(error)
          onEnd(error)
          await reader.cancel().catch(() => {})
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  )
}

function countWholeBody(): (chunk: Uint8Array) => number {
  let bytes = 0
  return ({ length }) => {
    bytes += length
    return bytes
  }
}

const lineFeed = 10
const carriageReturn = 13

/** Returns the size of the largest event so far. An event ends with an empty line. Lines end with CR, LF or both. */
function countLargestEvent(): (chunk: Uint8Array) => number {
  let bytes = 0
  let lineIsEmpty = true
  let afterReturn = false
  return (chunk) => {
    let largest = bytes
    for (const byte of chunk) {
      const secondOfTwo = byte === lineFeed && afterReturn
      afterReturn = byte === carriageReturn
      if (secondOfTwo) continue
      if (byte === lineFeed || byte === carriageReturn) {
        if (lineIsEmpty) bytes = 0
        lineIsEmpty = true
      } else {
        lineIsEmpty = false
      }
      bytes++
      if (bytes > largest) largest = bytes
    }
    return largest
  }
}
