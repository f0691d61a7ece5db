/** The load of an agent's machine over time. */

export interface AgentLoadQuery {
  readonly agentId: string
  /** The bounds of the buckets in ascending order, milliseconds since 1970. The last one is exclusive. */
  readonly edges: readonly number[]
  /** Whether to read the minutes, which are kept for a day. Otherwise the hours are read, and the minutes that have not been added to one. */
  readonly minutes: boolean
}

export interface LoadFigures {
  /** Means over the minutes with a heartbeat. */
  readonly load: number
  readonly freeMemoryBytes: number
  readonly loadMax: number
  readonly freeMemoryBytesMin: number
}

/** The figures by the index of their bucket. Buckets without a heartbeat are absent. */
export type AgentLoad = ReadonlyMap<number, LoadFigures>
