/** The kinds of faults: their names, the topologies in which they apply, and the functions that inject them. */
import type { Load } from '../load/load.ts'
import type { Topology, World } from '../program/world.ts'
import type { Random } from '../random.ts'
import type { InjectedFault } from '../verify/evidence.ts'
import { clockBack, clockDay, clockForward } from './clocks.ts'
import { killedProcess, resetAll, resetOne, terminatedBackends } from './instant.ts'
import { frozenDatabase, fullDisk, readOnly, silent, suspendedProcess } from './lasting.ts'
import { lostNotify } from './lostNotify.ts'

export interface FaultContext {
  readonly world: World
  readonly load: Load
  readonly random: Random
  /** The duration of a lasting fault, ms. */
  readonly lastsMs: number
}

/** The record of a fault. The slice adds its kind. */
export type Injected = Omit<InjectedFault, 'kind' | 'overtaken'>

export interface FaultKind {
  readonly description: string
  readonly topologies: readonly Topology[]
  /** The fault lasts 10 s or more. */
  readonly lasting: boolean
  /**
   * Several faults follow each other after a moment, so that the next one hits the consequences of the previous one. Otherwise
   * each waits until work continues.
   */
  readonly burst?: true
  readonly needs?: 'disk' | 'standby'
  inject(context: FaultContext): Promise<Injected>
}

const both: readonly Topology[] = ['embedded', 'external']
const external: readonly Topology[] = ['external']

export const faultKinds = {
  'reset-one': {
    description: 'one connection to the database is reset',
    topologies: external,
    lasting: false,
    burst: true,
    inject: resetOne,
  },
  'reset-all': {
    description: 'all connections of a process, or of all processes, are reset',
    topologies: external,
    lasting: false,
    burst: true,
    inject: resetAll,
  },
  'terminated-backends': {
    description: 'pg_terminate_backend of all client backends',
    topologies: both,
    lasting: false,
    burst: true,
    inject: terminatedBackends,
  },
  'lost-notify': {
    description: 'the notification of a transition or of a deleted key does not arrive',
    topologies: external,
    lasting: false,
    inject: lostNotify,
  },
  'killed-process': { description: 'kill -9 of a process', topologies: both, lasting: false, inject: killedProcess },
  'clock-forward': {
    description: 'the wall clock is 200 s ahead',
    topologies: both,
    lasting: false,
    inject: clockForward,
  },
  'clock-back': { description: 'the wall clock is 200 s behind', topologies: both, lasting: false, inject: clockBack },
  'clock-day': { description: 'the wall clock is 24 h ahead', topologies: both, lasting: false, inject: clockDay },
  silent: {
    description: 'connections become silent in one direction or both: no data, no RST, no FIN',
    topologies: external,
    lasting: true,
    inject: silent,
  },
  'read-only': {
    description: 'a failover to a hot standby, which is read-only, and back',
    topologies: external,
    lasting: true,
    needs: 'standby',
    inject: readOnly,
  },
  'frozen-database': {
    description: 'SIGSTOP of PostgreSQL and all its processes',
    topologies: both,
    lasting: true,
    inject: frozenDatabase,
  },
  'full-disk': {
    description: 'the file system of the database has no block left',
    topologies: both,
    lasting: true,
    needs: 'disk',
    inject: fullDisk,
  },
  'suspended-process': {
    description: 'SIGSTOP of a process',
    topologies: both,
    lasting: true,
    inject: suspendedProcess,
  },
} as const satisfies Readonly<Record<string, FaultKind>>

export type FaultKindName = keyof typeof faultKinds

export const faultKindNames = Object.keys(faultKinds) as readonly FaultKindName[]

export function faultKind(name: string): FaultKind {
  if (!Object.hasOwn(faultKinds, name)) {
    throw new Error(`There is no fault "${name}". There are: ${faultKindNames.join(', ')}.`)
  }
  return faultKinds[name as FaultKindName]
}
