/**
 * The errors of calls to external servers. The text of a server is returned only to the caller of its tool, without the credentials that
 * the server received. Texts that are stored or shown to other users are ours.
 */
import { OutboundFailed } from '../../../../spec/core/outboundFailed.ts'
import { ExternalCallFailed } from '../../../../spec/tools/external.ts'

/** The server answered with an HTTP status that means an error. */
export class HttpRefused extends Error {
  override readonly name = 'HttpRefused'
  readonly status: number
  /** Whether the server reported that the session is unknown. Then it has not processed the message. */
  readonly sessionUnknown: boolean

  constructor(host: string, status: number, sessionUnknown: boolean) {
    const hint = status === 401 || status === 403 ? ': its saved headers may be wrong or missing' : ''
    super(`${host} answered with the HTTP status ${status}${hint}.`)
    this.status = status
    this.sessionUnknown = sessionUnknown
  }
}

/** The server answered the request with a JSON-RPC error. The server itself works. */
export class ServerRefused extends Error {
  override readonly name = 'ServerRefused'
  readonly code: number

  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

/** The connection ended before the answer arrived. */
export class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost'
}

/** The server did not answer in time. */
export class ServerTimedOut extends Error {
  override readonly name = 'ServerTimedOut'
}

/** The answer violates the MCP protocol. */
export class ProtocolViolation extends Error {
  override readonly name = 'ProtocolViolation'
}

/** A saved header cannot be decrypted, so the server cannot be called. */
export class HeaderUnreadable extends Error {
  override readonly name = 'HeaderUnreadable'

  constructor(name: string) {
    super(`The saved header ${name} of the server cannot be decrypted. Set it again.`)
  }
}

/** Whether the error is caused by the server and not by the request. The breaker counts such errors. */
export function isServerFailure(error: unknown): boolean {
  if (error instanceof OutboundFailed) return error.problem !== 'TOO_LARGE'
  return [HttpRefused, ConnectionLost, ServerTimedOut, ProtocolViolation, HeaderUnreadable].some(
    (type) => error instanceof type,
  )
}

const mayHaveTakenEffect = 'The call may have taken effect: check before you repeat it.'

/** @param sent whether the call was sent, so that it may have taken effect */
export function toCallFailure(error: unknown, sent: boolean): ExternalCallFailed {
  if (error instanceof ExternalCallFailed) return error
  if (error instanceof ServerRefused)
    return new ExternalCallFailed('PROTOCOL_ERROR', 'REFUSED', `The server refused the call: ${error.message}`)
  const message = error instanceof Error ? error.message : ''
  const text = sent && !(error instanceof HttpRefused) ? `${message} ${mayHaveTakenEffect}` : message
  if (error instanceof ServerTimedOut) return new ExternalCallFailed('TRANSPORT_ERROR', 'TIMED_OUT', text)
  if (error instanceof OutboundFailed) {
    if (error.problem === 'TOO_LARGE')
      return new ExternalCallFailed('PROTOCOL_ERROR', 'REFUSED', `${message} Request less data. ${mayHaveTakenEffect}`)
    return new ExternalCallFailed('TRANSPORT_ERROR', error.problem === 'TIMED_OUT' ? 'TIMED_OUT' : 'UNREACHABLE', text)
  }
  if (isServerFailure(error)) return new ExternalCallFailed('TRANSPORT_ERROR', 'UNREACHABLE', text)
  throw error
}
