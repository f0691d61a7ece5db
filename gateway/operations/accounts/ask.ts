import type { TypedRow } from '../../../machines/rows.ts'
import type { ActorKind } from '../../../spec/core/ids.ts'
import type { AskOptions, Envelope, Reply } from '../../messages.ts'
import { requireKind } from '../core/replies.ts'
import { originOf } from '../executeMutation.ts'
import type { AuthCall } from './operation.ts'
import type { AuthServices } from './services.ts'

export interface Caller extends Pick<AuthCall, 'request' | 'principal'> {
  readonly services: Pick<AuthServices, 'context' | 'options'>
}

/** Asks an actor with the caller as its principal. */
export async function ask<K extends ActorKind>(
  { request, principal, services }: Caller,
  envelope: Envelope & { readonly to: { readonly kind: K } },
  options?: AskOptions,
): Promise<Omit<Reply, 'row'> & { readonly row: TypedRow<K> }> {
  const context = services.context(request, principal)
  const origin = originOf(undefined, context)
  const reply = await services.options.system.ask(envelope, origin, { ...options, spentMs: context.spentMs() })
  return { ...reply, row: requireKind(envelope.to.kind, reply.row) }
}
