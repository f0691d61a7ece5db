/** The running server: the program, its database, its addresses, its settings, and those that can be changed while it runs. */
import { graphql, type ResultOf } from '../data/graphql.ts'
import { useQuery } from '../data/useQuery.ts'
import { format, formatNumber, formatParts, messages } from '../messages.ts'
import { ErrorMessage } from '../parts/notices/ErrorMessage.tsx'
import { Loading } from '../parts/notices/Loading.tsx'
import { RelativeTime } from '../parts/RelativeTime.tsx'
import { StatusBadge } from '../parts/StatusBadge.tsx'
import { TelemetrySettings } from '../telemetry/TelemetrySettings.tsx'
import { EnvironmentSettings, environmentSettingFragment } from './EnvironmentSettings.tsx'

const statusQuery = graphql(
  `{ installationStatus {
    version nodeVersion production startedAt
    database { embedded reachable acceptsWrites version pendingMigrations unknownMigrations historyStalledSeconds historyStalledBy }
    listeners { name host port } processes { id answers lastSeenAt } settings { ...EnvironmentSettingFields }
  } }`,
  [environmentSettingFragment],
)

type InstallationStatus = ResultOf<typeof statusQuery>['installationStatus']

const { server: texts, sections } = messages.settings

const refreshMs = 10_000

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
      <h2 id="server">{sections.server}</h2>
      <dl class="terms">
        <dt>Signalbox</dt>
        <dd>
          {format(production ? texts.version.production : texts.version.development, { version, node: nodeVersion })}
        </dd>
        <dt>{texts.started}</dt>
        <dd>
          <RelativeTime at={startedAt} />
        </dd>
        <dt>{texts.database}</dt>
        <dd>
          <StatusBadge status={database.reachable ? 'REACHABLE' : 'UNREACHABLE'} /> {database.version}
          {database.version && ', '}
          {database.embedded ? texts.embedded : texts.external}
          {database.reachable && !database.acceptsWrites && <p class="problem">{texts.refusesWrites}</p>}
          {database.historyStalledBy && (
            <p class="problem">
              {format(texts.historyStalled, {
                seconds: formatNumber(database.historyStalledSeconds),
                transaction: database.historyStalledBy,
              })}
            </p>
          )}
        </dd>
        <dt>{texts.migrations}</dt>
        <dd>
          {database.pendingMigrations.length === 0 && database.unknownMigrations.length === 0 && texts.upToDate}
          {database.pendingMigrations.length > 0 && (
            <span class="problem">{format(texts.pending, { names: database.pendingMigrations.join(', ') })}</span>
          )}
          {database.unknownMigrations.length > 0 && (
            <span class="problem">{format(texts.unknown, { names: database.unknownMigrations.join(', ') })}</span>
          )}
        </dd>
        <dt>{texts.listeners.title}</dt>
        <dd>
          <ul>
            {listeners.map(({ name, host, port }) => (
              <li key={name}>{formatParts(texts.listeners[name], { address: <code>{`${host}:${port}`}</code> })}</li>
            ))}
          </ul>
        </dd>
        <dt>{texts.processes}</dt>
        <dd>
          <ul>
            {processes.map(({ id, answers, lastSeenAt }) => (
              <li key={id}>
                <span class="id">{id}</span> {answers ? texts.thisProcess : <RelativeTime at={lastSeenAt} />}
              </li>
            ))}
          </ul>
        </dd>
      </dl>
    </section>
  )
}
