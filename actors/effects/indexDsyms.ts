import type { IndexStep } from '../../machines/apps/dsymUpload.ts'
import type { ActorEvent } from '../../spec/core/actor.ts'
import type { EffectHandler } from '../outbox/dispatcher.ts'

export interface IndexDsymsPorts {
  /** Indexes some of the dSYMs, and returns the event for the upload. */
  readonly indexDsyms: (requested: IndexStep) => Promise<ActorEvent>
}

/** Indexes dSYMs of an upload. If a process ends meanwhile, the upload is interrupted: a request completes it again. */
export function indexDsyms({ indexDsyms: index }: IndexDsymsPorts): EffectHandler {
  return async ({ params, interruptions }) =>
    interruptions > 0 ? { type: 'interrupted' } : await index(params as unknown as IndexStep)
}
