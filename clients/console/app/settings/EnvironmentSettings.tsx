/** The settings that the process runs with. They come from its environment, so they cannot be changed here. */
import { graphql, type ResultOf } from '../data/graphql.ts'
import { formatCount } from '../parts/formatCount.ts'
import { ListFilters } from '../parts/lists/ListFilters.tsx'
import { EmptyState } from '../parts/messages/EmptyState.tsx'
import { useFilters } from '../router.ts'

export const environmentSettingFragment = graphql(
  'fragment EnvironmentSettingFields on InstallationSetting { name set secret value }',
)

interface EnvironmentSettingsProps {
  readonly settings: readonly ResultOf<typeof environmentSettingFragment>[]
}

export function EnvironmentSettings({ settings }: EnvironmentSettingsProps) {
  const { q = '', status = '' } = useFilters()
  const searchText = q.toLowerCase()
  const shown = settings
    .filter(({ set }) => status === '' || set === (status === 'SET'))
    .filter(({ name }) => name.toLowerCase().includes(searchText))
  return (
    <section class="group" aria-labelledby="environment">
      <h2 id="environment">Environment</h2>
      <p class="note">The server reads these settings when it starts. Secret values are not shown.</p>
      <ListFilters placeholder="Setting name" statuses={['SET', 'DEFAULT']} allLabel="All settings" />
      <p class="note" role="status">
        {formatCount(shown.length, 'setting')}
      </p>
      {shown.length === 0 && <EmptyState title="No matches" />}
      <ul class="rows environment">
        {shown.map(({ name, set, secret, value }) => (
          <li key={name}>
            <span class="item-name id">{name}</span>
            <span class="value">
              {value === null || secret ? <span class="hint">{value ?? 'not set'}</span> : <code>{value}</code>}
            </span>
            <span class="hint">{set ? 'set' : value === null || secret ? '' : 'default'}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}
