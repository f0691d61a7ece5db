/**
 * What goes wrong with an external server, and what of it may be said. Its own words are told only to who called a tool of it, and
 * without the credentials that it was shown; what is kept and shown to others is ours.
 */
import { OutboundFailed } from '../../../../spec/core/outboundFailed.ts'
import { ExternalCallFailed } from '../../../../spec/tools/external.ts'

/** It answered with an HTTP status that is no answer to the message. */
export class HttpRefused extends Error {
  override readonly name = 'HttpRefused'
  readonly status: number
  /** It does not know the session: the message was not looked at. */
  readonly sessionUnknown: boolean

  constructor(host: string, status: number, sessionUnknown: boolean) {
    const hint = status === 401 || status === 403 ? ': its saved headers may be wrong or missing' : ''
    super(`${host} answered with the HTTP status ${status}${hint}.`)
    this.status = status
    this.sessionUnknown = sessionUnknown
  }
}

/** It answered a request with a JSON-RPC error: it is well, and wants this request no more. */
export class ServerRefused extends Error {
  override readonly name = 'ServerRefused'
  readonly code: number

  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

/** The connection ended before the answer came. */
export class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost'
}

/** It did not answer in time. */
export class TooSlow extends Error {
  override readonly name = 'TooSlow'
}

/** What came is not what the protocol says. */
export class NoMcp extends Error {
  override readonly name = 'NoMcp'
}

/** What it is to be shown can't be opened, so it can't be asked. */
export class HeaderUnreadable extends Error {
  override readonly name = 'HeaderUnreadable'

  constructor(name: string) {
    super(`The saved header ${name} of the server cannot be decrypted. Set it again.`)
  }
}

/** Whether it tells that the server, and not the request, is at fault: the breaker counts it. */
export function isServersFault(error: unknown): boolean {
  if (error instanceof OutboundFailed) return error.problem !== 'TOO_LARGE'
  return [HttpRefused, ConnectionLost, TooSlow, NoMcp, HeaderUnreadable].some((type) => error instanceof type)
}

const uncertain = 'The call may have taken effect: check before you repeat it.'

/** @param sent whether the call had been sent, so that it may have been carried out */
export function callFailure(error: unknown, sent: boolean): ExternalCallFailed {
  if (error instanceof ExternalCallFailed) return error
  if (error instanceof ServerRefused)
    return new ExternalCallFailed('PROTOCOL_ERROR', 'REFUSED', `The server refused the call: ${error.message}`)
  const message = error instanceof Error ? error.message : ''
  const said = sent && !(error instanceof HttpRefused) ? `${message} ${uncertain}` : message
  if (error instanceof TooSlow) return new ExternalCallFailed('TRANSPORT_ERROR', 'TIMED_OUT', said)
  if (error instanceof OutboundFailed) {
    if (error.problem === 'TOO_LARGE')
      return new ExternalCallFailed('PROTOCOL_ERROR', 'REFUSED', `${message} Request less data. ${uncertain}`)
    return new ExternalCallFailed('TRANSPORT_ERROR', error.problem === 'TIMED_OUT' ? 'TIMED_OUT' : 'UNREACHABLE', said)
  }
  if (isServersFault(error)) return new ExternalCallFailed('TRANSPORT_ERROR', 'UNREACHABLE', said)
  throw error
}
