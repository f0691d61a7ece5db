/**
 * Prepares a caller's request for sending: checks it and adds the defaults as `fetch` does, and removes the headers that callers must not
 * set.
 */
import { OutboundFailed } from '../../../spec/core/outboundFailed.ts'
import type { OutboundRequest } from './port.ts'

export interface Outgoing {
  readonly url: URL
  readonly method: string
  readonly headers: Headers
  /** Bytes can be sent again after a redirect. A stream cannot. */
  readonly body: Uint8Array | ReadableStream<Uint8Array> | undefined
  /** The names, in lower case, of headers that are sent to the first origin only. */
  readonly credentialHeaders: ReadonlySet<string>
}

/** These are always credentials, also if the caller does not list them. */
const knownCredentials = [
  'authorization',
  'cookie',
  'proxy-authorization',
  'x-api-key',
  'private-token',
  'job-token',
] as const

/** Headers that frame the message on the connection, or name its receiver. The HTTP client sets them, so those of a caller are removed. */
const clientOnlyHeaders = [
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
] as const

/** @throws OutboundFailed BAD_URL, BAD_REQUEST */
export async function outgoingOf(address: string | URL, request: OutboundRequest): Promise<Outgoing> {
  const url = webUrl(String(address))
  if (url === undefined)
    throw new OutboundFailed(
      'BAD_URL',
      'The URL is not valid. It must begin with http:// or https://, and have no user name and no password.',
    )
  const { method, headers, body, credentialHeaders = [] } = request
  try {
    // Checks and completes the request as `fetch` does: the method, the names and values of headers, the content type of a form.
    const whole = new Request(url, {
      ...(method === undefined ? {} : { method }),
      ...(headers === undefined ? {} : { headers }),
      ...(body === undefined || body === null ? {} : { body, duplex: 'half' }),
    })
    return {
      url,
      method: whole.method,
      headers: sendableHeaders(new Headers(whole.headers)),
      body: isStream(body)
        ? (whole.body as ReadableStream<Uint8Array>)
        : whole.body === null
          ? undefined
          : new Uint8Array(await whole.arrayBuffer()),
      credentialHeaders: new Set([...knownCredentials, ...credentialHeaders.map((name) => name.toLowerCase())]),
    }
  } catch {
    // The original error is not passed on: it contains the value of the invalid header, which may be a secret.
    throw new OutboundFailed(
      'BAD_REQUEST',
      `The request to ${url.host} has a method, header or body that can't be sent.`,
    )
  }
}

/**
 * The text as an http or https URL. Undefined if it is not such a URL, or has a user name or a password. A dot at the end of its host, and the fragment,
 * are removed.
 */
export function webUrl(text: string, base?: URL): URL | undefined {
  const url = URL.canParse(text, base?.href) ? new URL(text, base?.href) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    return undefined
  url.hostname = url.hostname.replace(/\.$/, '')
  url.hash = ''
  return url
}

function sendableHeaders(headers: Headers): Headers {
  for (const name of clientOnlyHeaders) headers.delete(name)
  if (!headers.has('accept')) headers.set('accept', '*/*')
  if (!headers.has('user-agent')) headers.set('user-agent', 'signalbox')
  // Nothing is decompressed here, so that the limit of a body applies to the bytes that the caller reads.
  if (!headers.has('accept-encoding')) headers.set('accept-encoding', 'identity')
  return headers
}

function isStream(body: OutboundRequest['body']): boolean {
  return typeof body === 'object' && body !== null && Symbol.asyncIterator in body
}
