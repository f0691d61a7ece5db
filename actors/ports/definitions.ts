import type { MachineRef } from '../../spec/core/actor.ts'
import type { ActorKind } from '../../spec/core/ids.ts'
import type { StoredActor } from './journal.ts'

export interface Definitions {
  /** Keeps a definition under its hash, for ever. Idempotent. */
  keep(definition: {
    readonly kind: ActorKind
    readonly machine: MachineRef
    readonly definition: string
  }): Promise<void>
  /** Every actor that is not terminal and stands on another version or chart, in pages, for the dry run at start. */
  onOtherDefinitions(
    kind: ActorKind,
    machine: MachineRef,
    after: string | undefined,
    limit: number,
  ): Promise<readonly StoredActor[]>
}
