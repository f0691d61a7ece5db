/** Builds the refusal of a whole request: an HTTP status, with a JSON-RPC error whose `data.code` contains the reason. */
import { Failure, type FailureCode } from '../../spec/core/failure.ts'
import { json } from '../http/answer.ts'
import { retryHeaders, statusOf } from '../http/failures.ts'
import type { HttpRequest } from '../http/request.ts'
import type { Answer } from '../http/route.ts'

/** JSON-RPC codes: the body is not JSON, the request is invalid, an internal error, and the first implementation-defined error. */
const parseError = -32700
const invalidRequest = -32600
const internalError = -32603
const serverError = -32000

export function mcpRefusal(failure: Failure, { requestId }: Pick<HttpRequest, 'requestId'>): Answer {
  const shown = asMcp(failure)
  const { code, message, retryable, retryAfterMs } = shown
  const { parseError: _, ...details } = shown.details ?? {}
  const data = {
    code,
    requestId,
    retryable,
    ...(retryAfterMs && { retryAfterMs }),
    ...(Object.keys(details).length > 0 && { details }),
  }
  const error = { code: rpcCode(shown), message, data }
  return json(statusOf(shown), { jsonrpc: '2.0', error, id: null }, retryHeaders(failure))
}

/** All credentials that the endpoint rejects have one code here, whatever the reason. */
function asMcp(failure: Failure): Failure {
  if (failure.code !== 'UNAUTHENTICATED' && failure.code !== 'FORBIDDEN') return failure
  return new Failure('TOOL_API_UNAUTHORIZED', failure.message)
}

const ofTheRequest: ReadonlySet<FailureCode> = new Set(['INVALID_MCP_SCOPE', 'BAD_USER_INPUT', 'PAYLOAD_TOO_LARGE'])

function rpcCode({ code, details }: Failure): number {
  if (details?.parseError === true) return parseError
  if (code === 'INTERNAL') return internalError
  return ofTheRequest.has(code) ? invalidRequest : serverError
}
