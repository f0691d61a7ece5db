import type { ActorEvent } from '../../spec/core/actor.ts'
import type { EffectHandler } from '../outbox/dispatcher.ts'

export interface SymbolicateReportPorts {
  /** Symbolicates a crash report with all symbols of its images, and returns the event for the report. */
  readonly symbolicateReport: (crashId: string) => Promise<ActorEvent>
}

/** Symbolicates one crash report. A repeat with the same symbols has the same result. */
export function symbolicateReport({ symbolicateReport: symbolicate }: SymbolicateReportPorts): EffectHandler {
  return async ({ params }) => await symbolicate((params as { readonly crashId: string }).crashId)
}
