/** The settings that the process runs with. They come from its environment, so they cannot be changed here. */
import { graphql, type ResultOf } from '../data/graphql.ts'
import { format, messages } from '../messages.ts'
import { ListFilters } from '../parts/lists/ListFilters.tsx'
import { EmptyState } from '../parts/notices/EmptyState.tsx'
import { useFilters } from '../router.ts'

export const environmentSettingFragment = graphql(
  'fragment EnvironmentSettingFields on InstallationSetting { name set secret value }',
)

const { environment: texts } = messages.settings

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
      <h2 id="environment">{texts.title}</h2>
      <p class="note">{texts.note}</p>
      <ListFilters placeholder={texts.search} statuses={['SET', 'DEFAULT']} allLabel={texts.all} />
      <p class="note" role="status">
        {format(texts.count, { count: shown.length })}
      </p>
      {shown.length === 0 && <EmptyState title={messages.parts.noMatches} />}
      <ul class="rows environment">
        {shown.map(({ name, set, secret, value }) => (
          <li key={name}>
            <span class="item-name id">{name}</span>
            <span class="value">
              {value === null || secret ? (
                <span class="hint">{set ? texts.set : texts.notSet}</span>
              ) : (
                <code>{value}</code>
              )}
            </span>
            <span class="hint">{set ? texts.set : value === null || secret ? '' : texts.default}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}
