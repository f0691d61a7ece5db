/**
 * Faults that are planted in the control plane to prove that the harness finds them. Each changes sources while they are loaded,
 * by exact text. A text that does not occur exactly once stops the start, so that a refactoring cannot disable a plant silently.
 * `node test/longRuns/chaos/plants/prove.ts` runs them.
 */
import type { FaultKindName } from '../faults/kinds.ts'
import type { Topology } from '../program/world.ts'
import type { CheckerName } from '../verify/checkers.ts'

export interface Patch {
  /** Relative to the project's folder. A file of a package is below `node_modules/`. */
  readonly file: string
  /** Occurs exactly once in the file. */
  readonly search: string
  readonly replace: string
}

export interface Plant {
  readonly name: string
  /** The kind of fault that is injected to find it. */
  readonly kind: FaultKindName
  readonly topology: Topology
  readonly count: number
  /** The checkers that may find it. One of them must. */
  readonly foundBy: readonly CheckerName[]
  readonly patches: readonly Patch[]
}

export const plants: readonly Plant[] = [
  {
    name: 'a driver that connects again by itself after a reset',
    kind: 'reset-all',
    topology: 'external',
    count: 40,
    foundBy: ['telemetryStands', 'auditStands', 'logsStand', 'mutationsStand', 'answersInTime', 'recoversInTime'],
    patches: [
      { file: 'storage/connections/connection.ts', search: 'backoff: false,', replace: 'backoff: () => 0.01,' },
      { file: 'storage/connections/connection.ts', search: 'onclose: ended,', replace: 'onclose: () => {},' },
      { file: 'storage/connections/connection.ts', search: "socket.once('close', ended)", replace: '' },
      {
        file: 'storage/connections/connection.ts',
        search: 'if (given) return failingSocket(failure)',
        replace: 'if (given) return await openSocket(address, { timeoutMs: openWithinMs })',
      },
      {
        file: 'storage/connections/connection.ts',
        search: 'if (!isAnswer || endsSession(error)) this.cut(messageOf(error))',
        replace: '',
      },
      {
        file: 'storage/connections/connection.ts',
        search: 'if (checkRows && !isWhole(result)) {',
        replace: 'if (false) {',
      },
    ],
  },
  {
    name: 'an uncertain commit that counts as written without a check',
    kind: 'reset-all',
    topology: 'external',
    count: 40,
    foundBy: ['mutationsStand', 'journalsFold'],
    patches: [
      {
        file: 'actors/activation/batchWriter.ts',
        search: 'const isWritten = await this.#readWritten(batch)',
        replace: 'const isWritten = batch.map(() => true)',
      },
    ],
  },
  {
    name: 'a lost connection that stays in the pool',
    kind: 'reset-one',
    topology: 'external',
    count: 40,
    foundBy: ['answersInTime', 'recoversInTime'],
    patches: [
      {
        file: 'storage/connections/pool.ts',
        search: 'this.#connections.delete(connection)\n    this.#retired.delete(connection)',
        replace: 'this.#retired.delete(connection)',
      },
    ],
  },
  {
    name: 'empty journal changes',
    kind: 'terminated-backends',
    topology: 'embedded',
    count: 1,
    foundBy: ['journalsFold'],
    patches: [
      {
        file: 'actors/activation/prepareTransition.ts',
        search: 'change: diffContext(logic, before, context),',
        replace: 'change: {},',
      },
    ],
  },
  {
    name: 'a snapshot without its timers',
    kind: 'terminated-backends',
    topology: 'embedded',
    count: 1,
    foundBy: ['journalsFold'],
    patches: [
      {
        file: 'actors/activation/snapshot.ts',
        search: '    timers: snapshot.timers,\n    ...(snapshot.expectedBy',
        replace: '    timers: [],\n    ...(snapshot.expectedBy',
      },
    ],
  },
  {
    name: 'telemetry acknowledged before it is stored',
    kind: 'terminated-backends',
    topology: 'embedded',
    count: 20,
    foundBy: ['telemetryStands'],
    patches: [
      {
        file: 'storage/telemetry/telemetry.ts',
        search: 'return this.#append({ records, rows: records.map(rowText) })',
        replace:
          'void this.#append({ records, rows: records.map(rowText) }).catch(() => {})\n    return Promise.resolve({ kept: records.length, duplicates: 0 })',
      },
    ],
  },
  {
    name: 'tool calls answered before their audit is stored',
    kind: 'terminated-backends',
    topology: 'embedded',
    count: 20,
    foundBy: ['auditStands'],
    patches: [
      {
        file: 'storage/tools/toolCalls.ts',
        search: 'return this.#append(rowText(storable(call)))',
        replace: 'void this.#append(rowText(storable(call))).catch(() => {})\n    return Promise.resolve()',
      },
    ],
  },
  {
    name: 'a gap in the feed that is ignored',
    kind: 'lost-notify',
    topology: 'external',
    count: 4,
    foundBy: ['followersGotAll'],
    patches: [
      {
        file: 'storage/feed/senders.ts',
        search: 'const hasGap = known.n !== undefined && n > known.n + 1',
        replace: 'const hasGap = false',
      },
    ],
  },
  {
    name: 'timers that are lost at a restart',
    kind: 'killed-process',
    topology: 'embedded',
    count: 2,
    foundBy: ['timersFire'],
    patches: [
      {
        file: 'storage/timers/timerIndex.ts',
        // biome-ignore lint/suspicious/noTemplateCurlyInString: it is a source text
        search: 'where next_due is not null and next_due <= ${now}',
        replace:
          // biome-ignore lint/suspicious/noTemplateCurlyInString: it is a source text
          'where next_due is not null and next_due <= ${now} and changed_at >= ${(globalThis.plantedStart ??= Date.now())}',
      },
    ],
  },
  {
    name: 'silence that is measured on the wall clock',
    kind: 'clock-forward',
    topology: 'embedded',
    count: 4,
    foundBy: ['agentsAreKept', 'logsStand'],
    patches: [
      {
        file: 'actors/clock.ts',
        search: 'monotonic: () => performance.now(),',
        replace: 'monotonic: () => Date.now(),',
      },
      // Otherwise such a jump would be taken for a suspension.
      { file: 'actors/presence/presence.ts', search: 'if (late > suspendedMs) this.#beginAgain()', replace: '' },
    ],
  },
  {
    name: 'a pause that is measured on the wall clock',
    kind: 'clock-back',
    topology: 'embedded',
    count: 30,
    foundBy: ['recoversInTime'],
    patches: [
      {
        file: 'storage/sql/groupCommit.ts',
        search: '  const run = async (): Promise<void> => {\n',
        replace:
          '  let lastRun = 0\n  const run = async (): Promise<void> => {\n    while (Date.now() < lastRun) await new Promise((resolve) => setTimeout(resolve, 20))\n    lastRun = Date.now()\n',
      },
    ],
  },
  {
    name: 'idempotency keys that a wrong clock deletes too early',
    kind: 'clock-day',
    topology: 'embedded',
    count: 12,
    foundBy: ['mutationsStand'],
    patches: [
      {
        file: 'storage/retention/hourlyHousekeeping.ts',
        search: 'storage.housekeeping(clock.now(), retention)',
        replace: 'storage.housekeeping(Date.now(), retention)',
      },
    ],
  },
  {
    name: 'a session on a read-only server that is kept',
    kind: 'read-only',
    topology: 'external',
    count: 1,
    foundBy: ['recoversInTime'],
    patches: [
      {
        file: 'storage/connections/connection.ts',
        search: 'if (session.standby || (session.read_only && options.readOnly !== true)) {',
        replace: 'if (false) {',
      },
      {
        file: 'storage/connections/connection.ts',
        search: "target_session_attrs: 'primary',",
        replace: '',
      },
      { file: 'storage/connections/errors.ts', search: '|08...|25006)$/', replace: '|08...)$/' },
      { file: 'storage/journal/journal.ts', search: '/^(53|58|25006)/', replace: '/^(53|58)/' },
    ],
  },
  {
    name: 'no deadline for queries',
    kind: 'silent',
    topology: 'external',
    count: 2,
    foundBy: ['answersInTime'],
    patches: [
      { file: 'actors/flow/expiringItems.ts', search: '      this.#expired(item)\n', replace: '      return\n' },
    ],
  },
  {
    name: 'readiness that is reported without a check',
    kind: 'frozen-database',
    topology: 'embedded',
    count: 1,
    foundBy: ['readyIsTrue'],
    patches: [
      { file: 'storage/open.ts', search: 'healthy: () => healthy.check(),', replace: 'healthy: async () => true,' },
    ],
  },
  {
    name: 'writes that are acknowledged although a full disk refused them',
    kind: 'full-disk',
    topology: 'external',
    count: 1,
    foundBy: ['telemetryStands', 'auditStands'],
    patches: [
      {
        file: 'storage/sql/groupCommit.ts',
        search: 'else for (const { reject } of batch) reject(error)',
        replace:
          'else for (const { item, resolve } of batch) resolve({ kept: item.records?.length ?? 0, duplicates: 0 })',
      },
    ],
  },
  {
    name: 'a fence that accepts the commits of a process that was suspended',
    kind: 'suspended-process',
    topology: 'external',
    count: 1,
    foundBy: ['journalsFold', 'mutationsStand', 'followersGotAll'],
    patches: [
      {
        file: 'storage/journal/commitSql.ts',
        search: 'and a.seq = s.expected_seq and a.owner = s.expected_owner$',
        replace: '$',
      },
    ],
  },
]

export function plantNamed(name: string): Plant {
  const plant = plants.find((one) => one.name === name)
  if (plant === undefined)
    throw new Error(`There is no plant "${name}". There are: ${plants.map((one) => one.name).join('; ')}.`)
  return plant
}

/** The options of a process that contains the plant. */
export function plantOptions(name: string): {
  readonly nodeOptions: readonly string[]
  readonly env: Record<string, string>
} {
  plantNamed(name)
  return {
    nodeOptions: [`--import=${new URL('./preload.ts', import.meta.url).href}`],
    env: { CHAOS_PLANT: name },
  }
}
