/** The state of agents' heartbeats in memory. */
export interface PresenceReader {
  /** Milliseconds since 1970 of the last heartbeat that any process received. */
  lastSeen(agentId: string): number | undefined
  /** The epoch of the agent's connection to this process. */
  epoch(agentId: string): number | undefined
  /**
   * The number of ended jobs for which the agent has not confirmed that no process is left. Undefined if this process has no entry of the
   * agent.
   */
  loose(agentId: string): number | undefined
  /** The agent's status. Undefined if this process has no entry of the agent. */
  status(agentId: string): string | undefined
}

/** The measurements that a heartbeat reports about its machine. */
export interface Vitals {
  /** The average number of processes that run or wait to run, over the last minute [getloadavg(3)]. */
  readonly load: number
  readonly freeMemoryBytes: number
}

/** A heartbeat. It renews the agent's presence and the leases of the jobs that it lists. By itself it writes nothing. */
export interface Beat {
  readonly agentId: string
  readonly epoch: number
  readonly at: number
  readonly jobs: readonly { readonly jobId: string; readonly attempt: number }[]
  /** Undefined if the agent has only just connected. */
  readonly vitals?: Vitals
}

/** Stores heartbeats. They are written in batches, so that no agent becomes LOST because of a restart or of a second process. */
export interface PresenceStore {
  /**
   * Writes heartbeats. If a call has several of one agent, the newest is written. A later call replaces it. Vitals that are omitted stay as they
   * are.
   */
  write(beats: readonly Pick<Beat, 'agentId' | 'at' | 'vitals'>[]): Promise<void>
  /** Returns the time of the last stored heartbeat of each agent, milliseconds since 1970. */
  read(agentIds: readonly string[]): Promise<ReadonlyMap<string, number>>
}
