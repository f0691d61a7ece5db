/** Creates the response that `fetch` returns. Its body is counted, and its time-outs apply, while it is read. */
import type { IncomingMessage } from 'node:http'
import { OutboundFailed } from '../../../spec/core/outboundFailed.ts'
import type { Exchange } from './exchange.ts'
import { toOutboundFailed } from './toOutboundFailed.ts'

export interface AnsweredParts {
  readonly exchange: Exchange
  readonly url: URL
  readonly method: string
  readonly maxBytes: number
  readonly signal: AbortSignal
  /** Called once, when the body has ended, was dropped, or has failed. */
  ended(): void
}

/** Statuses for which `Response` allows no body. */
const withoutBody: ReadonlySet<number> = new Set([204, 205, 304])

/** @throws OutboundFailed BAD_ANSWER, TOO_LARGE */
export function answered(parts: AnsweredParts): Response {
  const { exchange, url, method, maxBytes } = parts
  const { message } = exchange
  const status = message.statusCode ?? 0
  if (status < 200 || status > 599)
    throw new OutboundFailed('BAD_ANSWER', `${url.host} answers with the status ${status}, which does not exist.`)
  const headers = new Headers()
  for (let at = 0; at < message.rawHeaders.length; at += 2)
    headers.append(message.rawHeaders[at] ?? '', message.rawHeaders[at + 1] ?? '')
  const empty = method === 'HEAD' || withoutBody.has(status)
  if (!empty && Number(headers.get('content-length') ?? 0) > maxBytes) throw tooLarge(url, maxBytes)
  // The reader of the body gets the error. Without a listener it would end the process.
  message.on('error', () => {})
  if (empty) {
    exchange.end()
    parts.ended()
  }
  const response = new Response(empty ? null : bodyOf(message, parts), { status, headers })
  // The URL after all redirects: links in the response are relative to it.
  Object.defineProperty(response, 'url', { value: url.href })
  return response
}

/** A chunk is read only when the reader asks for it, so that a slow reader slows the sender down. */
function bodyOf(message: IncomingMessage, { exchange, url, maxBytes, signal, ended }: AnsweredParts): ReadableStream {
  const chunks = (message as AsyncIterable<Buffer>)[Symbol.asyncIterator]()
  let bytes = 0
  const end = () => {
    exchange.end()
    ended()
  }
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await chunks.next()
          if (done) {
            end()
            controller.close()
            return
          }
          bytes += value.length
          if (bytes > maxBytes) throw tooLarge(url, maxBytes)
          controller.enqueue(value)
        } catch (error) {
          end()
          controller.error(failureOf(error as Error, url, signal))
        }
      },
      cancel: end,
    },
    { highWaterMark: 0 },
  )
}

function failureOf(error: Error, url: URL, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason
  return error instanceof OutboundFailed ? error : toOutboundFailed(error, url.host, true)
}

function tooLarge({ host }: URL, maxBytes: number): OutboundFailed {
  return new OutboundFailed('TOO_LARGE', `${host} answers with more than ${maxBytes} bytes.`)
}
