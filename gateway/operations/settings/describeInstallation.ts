/** Builds the status of the installation from the reports of the parts of the program. */
import { setTimeout as sleep } from 'node:timers/promises'
import { toDateTime } from '../../../spec/core/types.ts'
import { type InstallationStatus, processesMax, type ShownSetting } from '../../../spec/settings/installation.ts'
import { version } from '../../../spec/settings/version.ts'
import type { DatabaseFacts } from '../../../storage/storage.ts'

export interface InstallationParts {
  readonly settings: {
    readonly production: boolean
    readonly host: string
    readonly metrics: { readonly port: number; readonly host: string } | undefined
    readonly shown: readonly ShownSetting[]
  }
  /** Undefined before the listeners are open. */
  readonly listening: { readonly port: number; readonly agentPort: number } | undefined
  readonly embedded: boolean
  /** The name of this process among those on the database. */
  readonly owner: string
  readonly startedAt: number
  readonly now: number
  database(): Promise<DatabaseFacts>
  /** Whether the database accepts writes. */
  healthy(): Promise<boolean>
}

/** A part that has not answered by then counts as unreachable. */
const patienceMs = 2_000

export async function installationStatus(parts: InstallationParts): Promise<InstallationStatus> {
  const { settings, listening, owner, startedAt, now, embedded } = parts
  const [facts, isHealthy] = await Promise.all([inTime(parts.database()), inTime(parts.healthy())])
  return {
    version,
    nodeVersion: process.versions.node,
    production: settings.production,
    startedAt: toDateTime(startedAt),
    uptimeSeconds: Math.floor((now - startedAt) / 1_000),
    database: {
      embedded,
      reachable: facts !== undefined,
      acceptsWrites: facts !== undefined && isHealthy === true,
      version: facts?.version ?? null,
      pendingMigrations: [...(facts?.pendingMigrations ?? [])],
      unknownMigrations: [...(facts?.unknownMigrations ?? [])],
      clockSkewMs: facts?.health.clockSkewMs ?? null,
      historyStalledSeconds: Math.floor((facts?.health.historyStalledMs ?? 0) / 1_000),
      historyStalledBy: facts?.health.historyStalledBy ?? null,
    },
    listeners: listening === undefined ? [] : listenersOf(settings, listening),
    processCount: facts?.processes.length ?? 0,
    processes: (facts?.processes ?? []).slice(0, processesMax).map(({ owner: id, seenAt }) => ({
      id,
      answers: id === owner,
      lastSeenAt: toDateTime(seenAt),
    })),
    settings: [...settings.shown],
  }
}

async function inTime<T>(asked: Promise<T>): Promise<T | undefined> {
  const answered = new AbortController()
  const late = sleep(patienceMs, undefined, { signal: answered.signal }).catch(() => undefined)
  try {
    return await Promise.race([asked.catch(() => undefined), late])
  } finally {
    answered.abort()
  }
}

function listenersOf(
  { host, metrics }: InstallationParts['settings'],
  { port, agentPort }: NonNullable<InstallationParts['listening']>,
): InstallationStatus['listeners'] {
  return [
    { name: 'MAIN', host, port },
    { name: 'AGENTS', host, port: agentPort },
    ...(metrics ? [{ name: 'METRICS' as const, host: metrics.host, port: metrics.port }] : []),
  ]
}
