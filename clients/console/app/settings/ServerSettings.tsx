/** The settings that the process runs with. They come from its environment, so they cannot be changed here. */
import { counted } from '../parts/counted.ts'
import { Filters } from '../parts/Filters.tsx'
import { Empty } from '../parts/Notice.tsx'
import { filters } from '../router.ts'

export interface Setting {
  readonly name: string
  readonly set: boolean
  readonly secret: boolean
  readonly value: string | null
}

export function ServerSettings({ settings }: { readonly settings: readonly Setting[] }) {
  const { q = '', status = '' } = filters.value
  const words = q.toLowerCase()
  const shown = settings
    .filter(({ set }) => status === '' || set === (status === 'SET'))
    .filter(({ name }) => name.toLowerCase().includes(words))
  return (
    <section class="group" aria-labelledby="environment">
      <h2 id="environment">Settings of the environment</h2>
      <p class="note">
        They are read once, when the server starts. What is secret is shown to nobody: only whether it is set.
      </p>
      <Filters placeholder="Name of a setting" choices={['SET', 'DEFAULT']} all="Set or not" />
      <p class="note" role="status">
        {counted(shown.length, 'setting')}
      </p>
      {shown.length === 0 && <Empty title="None like that" />}
      <ul class="rows environment">
        {shown.map(({ name, set, secret, value }) => (
          <li key={name}>
            <span class="what id">{name}</span>
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
