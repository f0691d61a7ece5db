/** What memory knows of agents' heartbeats. */
export interface PresenceReader {
  /** Milliseconds since 1970 of the last heartbeat that any process saw. */
  lastSeen(agentId: string): number | undefined
  /** The epoch of the agent's connection to this process. */
  epoch(agentId: string): number | undefined
  /** Ended jobs of which the agent has not said that nothing is left; undefined where this process does not know. */
  loose(agentId: string): number | undefined
  /** How it counts; undefined where this process does not know. */
  status(agentId: string): string | undefined
}

/** What a heartbeat says of its machine. */
export interface Vitals {
  /** Processes that run or wait to run, over the last minute [getloadavg(3)]. */
  readonly load: number
  readonly freeMemoryBytes: number
}

/** A heartbeat: renews the agent's presence and the leases of the jobs that it says it runs. Writes nothing by itself. */
export interface Beat {
  readonly agentId: string
  readonly epoch: number
  readonly at: number
  readonly jobs: readonly { readonly jobId: string; readonly attempt: number }[]
  /** Undefined where the agent has only just connected. */
  readonly vitals?: Vitals
}

/** What memory knows of heartbeats, written back in batches so that a restart or a second process loses nobody. */
export interface PresenceStore {
  /** Writes the latest heartbeats; of one agent in one call the latest wins, otherwise the last call. Vitals that are left out stay. */
  write(beats: readonly Pick<Beat, 'agentId' | 'at' | 'vitals'>[]): Promise<void>
  read(agentIds: readonly string[]): Promise<ReadonlyMap<string, number>>
}
