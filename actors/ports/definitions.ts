import type { MachineRef } from '../../spec/core/actor.ts'
import type { StoredActor } from './journal.ts'

export interface KeptDefinition {
  readonly kind: string
  readonly machine: MachineRef
  /** The definition of the machine as JSON. */
  readonly definition: string
}

export interface Definitions {
  /** Stores each definition under its hash, permanently. Idempotent. */
  keep(definitions: readonly KeptDefinition[]): Promise<void>
  /** All actors that are not terminal and whose machine has another version or hash. In pages, for the dry run at the start. */
  onOtherDefinitions(
    kind: string,
    machine: MachineRef,
    after: string | undefined,
    limit: number,
  ): Promise<readonly StoredActor[]>
}
