import type { CredentialStore } from '../connection/credential.ts'
import type { Uplink } from '../connection/uplink.ts'
import type { JobFolder } from '../jobs/folder.ts'
import type { BuildSpec } from '../jobs/spec.ts'

/** A build whose steps have ended, and what is needed to store its files. */
export interface Collecting {
  readonly folder: JobFolder
  readonly spec: BuildSpec
  readonly roots: readonly string[]
  readonly uplink: Uplink
  readonly credentials: CredentialStore
  /** Aborted when the build is canceled or no longer belongs to this agent, and when the agent stops. */
  readonly signal: AbortSignal
}
