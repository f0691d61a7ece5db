/** The running server: the program, its database, its addresses, its settings, and those that can be changed while it runs. */
import { graphql, type ResultOf } from '../data/graphql.ts'
import { useQuery } from '../data/useQuery.ts'
import { ErrorMessage } from '../parts/messages/ErrorMessage.tsx'
import { Loading } from '../parts/messages/Loading.tsx'
import { RelativeTime } from '../parts/RelativeTime.tsx'
import { StatusBadge } from '../parts/StatusBadge.tsx'
import { TelemetrySettings } from '../telemetry/TelemetrySettings.tsx'
import { EnvironmentSettings, environmentSettingFragment } from './EnvironmentSettings.tsx'

const statusQuery = graphql(
  `{ installationStatus {
    version nodeVersion production startedAt
    database { embedded reachable version pendingMigrations unknownMigrations }
    listeners { name host port } processes { id answers lastSeenAt } settings { ...EnvironmentSettingFields }
  } }`,
  [environmentSettingFragment],
)

type InstallationStatus = ResultOf<typeof statusQuery>['installationStatus']

const refreshMs = 10_000

const listenerAudiences: Readonly<Record<string, string>> = {
  MAIN: 'people and scripts',
  AGENTS: 'agents',
  METRICS: 'metrics',
}

export function ServerStatus() {
  const { data, error } = useQuery(statusQuery, {}, { everyMs: refreshMs })
  const status = data?.installationStatus
  return (
    <>
      {error && <ErrorMessage error={error} retriesAutomatically />}
      {status === undefined && !error && <Loading />}
      {status && <StatusList status={status} />}
      <TelemetrySettings />
      {status && <EnvironmentSettings settings={status.settings} />}
    </>
  )
}

function StatusList({ status }: { readonly status: InstallationStatus }) {
  const { version, nodeVersion, production, startedAt, database, listeners, processes } = status
  return (
    <section class="group" aria-labelledby="server">
      <h2 id="server">Server</h2>
      <dl class="terms">
        <dt>Signalbox</dt>
        <dd>
          {version}, on Node {nodeVersion}, {production ? 'in production' : 'not in production'}
        </dd>
        <dt>Started</dt>
        <dd>
          <RelativeTime at={startedAt} />
        </dd>
        <dt>Database</dt>
        <dd>
          <StatusBadge status={database.reachable ? 'REACHABLE' : 'UNREACHABLE'} /> {database.version}
          {database.version && ', '}
          {database.embedded ? 'embedded' : 'external'}
        </dd>
        <dt>Migrations</dt>
        <dd>
          {database.pendingMigrations.length === 0 && database.unknownMigrations.length === 0 && 'up to date'}
          {database.pendingMigrations.length > 0 && (
            <span class="problem">pending: {database.pendingMigrations.join(', ')}. They run at the next start.</span>
          )}
          {database.unknownMigrations.length > 0 && (
            <span class="problem">
              unknown: {database.unknownMigrations.join(', ')}. A newer version created them. Update this process.
            </span>
          )}
        </dd>
        <dt>Listeners</dt>
        <dd>
          <ul>
            {listeners.map(({ name, host, port }) => (
              <li key={name}>
                <code>
                  {host}:{port}
                </code>{' '}
                for {listenerAudiences[name] ?? name.toLowerCase()}
              </li>
            ))}
          </ul>
        </dd>
        <dt>Processes</dt>
        <dd>
          <ul>
            {processes.map(({ id, answers, lastSeenAt }) => (
              <li key={id}>
                <span class="id">{id}</span> {answers ? 'this process' : <RelativeTime at={lastSeenAt} />}
              </li>
            ))}
          </ul>
        </dd>
      </dl>
    </section>
  )
}
