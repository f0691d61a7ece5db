/**
 * Logs a line for each operation after its caller and input were validated, before its handler runs. At `LOG_LEVEL=debug` it shows
 * what a request resolved to. The fuzzer reads it to find what it reached.
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
