import type { AskOptions, Envelope, Reply } from '../../../actors/messages.ts'
import { originOf } from '../executeMutation.ts'
import type { AuthCall } from './operation.ts'
import type { AuthServices } from './services.ts'

export interface Caller extends Pick<AuthCall, 'request' | 'principal'> {
  readonly services: Pick<AuthServices, 'context' | 'options'>
}

/** Sends one message in the caller's name. */
export function ask(
  { request, principal, services }: Caller,
  envelope: Envelope,
  options?: AskOptions,
): Promise<Reply> {
  const context = services.context(request, principal)
  return services.options.system.ask(envelope, originOf(undefined, context), { ...options, spentMs: context.spentMs() })
}
