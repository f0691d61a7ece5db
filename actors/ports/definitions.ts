import type { MachineRef } from '../../spec/core/actor.ts'
import type { StoredActor } from './journal.ts'

export interface Definitions {
  /** Stores a definition under its hash, permanently. Idempotent. */
  keep(definition: { readonly kind: string; readonly machine: MachineRef; readonly definition: string }): Promise<void>
  /** All actors that are not terminal and whose machine has another version or hash. In pages, for the dry run at the start. */
  onOtherDefinitions(
    kind: string,
    machine: MachineRef,
    after: string | undefined,
    limit: number,
  ): Promise<readonly StoredActor[]>
}
