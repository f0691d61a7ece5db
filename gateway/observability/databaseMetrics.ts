/** Metrics of database problems that cause no error. */
import { Gauge, type Registry } from 'prom-client'
import type { DatabaseHealth } from '../../storage/storage.ts'

export function registerDatabaseMetrics(registry: Registry, health: () => DatabaseHealth): void {
  const gauge = (name: string, help: string, of: (health: DatabaseHealth) => number) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(of(health()))
      },
    })
  gauge(
    'signalbox_clock_skew_seconds',
    "By how much this machine's clock is ahead of the database's.",
    ({ clockSkewMs }) => clockSkewMs / 1_000,
  )
  gauge(
    'signalbox_history_stalled_seconds',
    'For how long an open transaction has held back the transitions of kinds; 0 below 10 s.',
    ({ historyStalledMs }) => historyStalledMs / 1_000,
  )
}
