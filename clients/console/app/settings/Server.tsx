/** The running server: the program, its database, its addresses, its settings, and those that can be changed while it runs. */
import { useQuery } from '../data/useQuery.ts'
import { Lamp } from '../parts/Lamp.tsx'
import { Moment } from '../parts/Moment.tsx'
import { Loading, Refused } from '../parts/Notice.tsx'
import { Telemetry } from '../telemetry/Telemetry.tsx'
import { ServerSettings, type Setting } from './ServerSettings.tsx'

interface Status {
  readonly version: string
  readonly nodeVersion: string
  readonly production: boolean
  readonly startedAt: string
  readonly database: {
    readonly embedded: boolean
    readonly reachable: boolean
    readonly version: string | null
    readonly pendingMigrations: readonly string[]
    readonly unknownMigrations: readonly string[]
  }
  readonly listeners: readonly { readonly name: string; readonly host: string; readonly port: number }[]
  readonly processes: readonly { readonly id: string; readonly answers: boolean; readonly lastSeenAt: string }[]
  readonly settings: readonly Setting[]
}

const query = `{ installationStatus {
  version nodeVersion production startedAt
  database { embedded reachable version pendingMigrations unknownMigrations }
  listeners { name host port } processes { id answers lastSeenAt } settings { name set secret value }
} }`

const oldAfterMs = 10_000

const serves: Readonly<Record<string, string>> = {
  MAIN: 'people and scripts',
  AGENTS: 'agents',
  METRICS: 'metrics',
}

export function Server() {
  const { data, refusal } = useQuery<{ installationStatus: Status }>(query, {}, { everyMs: oldAfterMs })
  const status = data?.installationStatus
  return (
    <>
      {refusal && <Refused refusal={refusal} byItself />}
      {status === undefined && !refusal && <Loading what="what runs here" />}
      {status && <Facts status={status} />}
      <Telemetry />
      {status && <ServerSettings settings={status.settings} />}
    </>
  )
}

function Facts({ status }: { readonly status: Status }) {
  const { version, nodeVersion, production, startedAt, database, listeners, processes } = status
  return (
    <section class="group" aria-labelledby="server">
      <h2 id="server">What runs here</h2>
      <dl class="terms">
        <dt>Signalbox</dt>
        <dd>
          {version}, on Node {nodeVersion}, {production ? 'in production' : 'not in production'}
        </dd>
        <dt>Started</dt>
        <dd>
          <Moment at={startedAt} />
        </dd>
        <dt>Database</dt>
        <dd>
          <Lamp status={database.reachable ? 'REACHABLE' : 'UNREACHABLE'} /> {database.version}
          {database.version && ', '}
          {database.embedded ? 'started by this process' : 'on a server of its own'}
        </dd>
        <dt>Migrations</dt>
        <dd>
          {database.pendingMigrations.length === 0 && database.unknownMigrations.length === 0 && 'none is pending'}
          {database.pendingMigrations.length > 0 && (
            <span class="problem">
              not carried out yet: {database.pendingMigrations.join(', ')}. The next start carries them out.
            </span>
          )}
          {database.unknownMigrations.length > 0 && (
            <span class="problem">
              of a newer program: {database.unknownMigrations.join(', ')}. Bring this process up to date.
            </span>
          )}
        </dd>
        <dt>Listens</dt>
        <dd>
          <ul>
            {listeners.map(({ name, host, port }) => (
              <li key={name}>
                <code>
                  {host}:{port}
                </code>{' '}
                for {serves[name] ?? name.toLowerCase()}
              </li>
            ))}
          </ul>
        </dd>
        <dt>Processes</dt>
        <dd>
          <ul>
            {processes.map(({ id, answers, lastSeenAt }) => (
              <li key={id}>
                <span class="id">{id}</span> {answers ? 'answers you' : <Moment at={lastSeenAt} />}
              </li>
            ))}
          </ul>
        </dd>
      </dl>
    </section>
  )
}
