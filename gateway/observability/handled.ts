/**
 * A line for each operation whose caller and input were found right, before its own work begins: it tells, at `LOG_LEVEL=debug`,
 * what a request came to, and the fuzzer what it has reached.
 */
import type { Logger } from 'pino'
import { type Principal, principalName } from '../../spec/core/principal.ts'

export interface HandledRequest {
  readonly requestId: string
  readonly principal: Principal
}

export const handledLine = 'handled'

export function logHandled(log: Logger, operation: string, { requestId, principal }: HandledRequest): void {
  if (!log.isLevelEnabled('debug')) return
  log.debug({ requestId, operation, by: principal.kind, principal: principalName(principal) }, handledLine)
}
