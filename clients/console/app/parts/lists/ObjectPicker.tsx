/** Filters a list by one object, which the user finds by its name. A selected object is shown until it is removed. */
import { useEffect, useState } from 'preact/hooks'
import { graphql } from '../../data/graphql.ts'
import { requestGraphql } from '../../data/request.ts'
import { useAsyncData } from '../../data/useQuery.ts'
import { format, messages } from '../../messages.ts'
import { setFilters } from '../../router.ts'
import { useSearch } from '../../search/useSearch.ts'
import { getErrorText } from '../notices/errorText.ts'

interface ObjectPickerProps {
  /** The name of its parameter in the address. */
  readonly name: string
  readonly label: string
  /** The kind, as the search uses it. */
  readonly kind: 'AGENT' | 'WORKTREE' | 'REPOSITORY'
  /** The ID in the address. '' for none. */
  readonly id: string
}

export function ObjectPicker({ name, label, kind, id }: ObjectPickerProps) {
  return id === '' ? (
    <ObjectSearchField name={name} label={label} kind={kind} />
  ) : (
    <SelectedObject name={name} kind={kind} id={id} />
  )
}

function ObjectSearchField({ name, label, kind }: Omit<ObjectPickerProps, 'id'>) {
  const [text, setText] = useState('')
  const { hits, error } = useSearch(text, 8, kind)
  // The user entered or pasted a whole ID.
  useEffect(() => {
    if (hits.some(({ id }) => id === text.trim())) setFilters({ [name]: text.trim() })
  }, [hits])
  return (
    <>
      <input
        type="search"
        aria-label={label}
        placeholder={label}
        list={`matches-${name}`}
        autoComplete="off"
        value={text}
        onInput={({ currentTarget: { value } }) => {
          // The browser writes the value of the selected option into the field, which is an ID.
          if (hits.some((hit) => hit.id === value)) setFilters({ [name]: value })
          else setText(value)
        }}
      />
      <datalist id={`matches-${name}`}>
        {hits.map((hit) => (
          <option key={hit.id} value={hit.id}>
            {hit.excerpt ? `${hit.title}, ${hit.excerpt}` : hit.title}
          </option>
        ))}
      </datalist>
      {error && (
        <span class="hint" role="alert">
          {getErrorText(error)}
        </span>
      )}
    </>
  )
}

const agentQuery = graphql('query ($id: ID!) { agent(id: $id) { name } }')
const worktreeQuery = graphql('query ($id: ID!) { worktree(id: $id) { branch path } }')
const repositoryQuery = graphql('query ($id: ID!) { repository(id: $id) { name } }')

const nameReaders = {
  AGENT: async (id: string) => (await requestGraphql(agentQuery, { id })).agent?.name,
  WORKTREE: async (id: string) => {
    const { worktree } = await requestGraphql(worktreeQuery, { id })
    return worktree?.branch ?? worktree?.path
  },
  REPOSITORY: async (id: string) => (await requestGraphql(repositoryQuery, { id })).repository?.name,
} as const

function SelectedObject({ name, kind, id }: Omit<ObjectPickerProps, 'label'>) {
  const { data: label = id } = useAsyncData(`${kind} ${id}`, async () => (await nameReaders[kind](id)) ?? id)
  return (
    <button
      type="button"
      class="quiet selected"
      aria-label={format(messages.parts.filters.remove, { name: label })}
      onClick={() => setFilters({ [name]: '' })}
    >
      {label} <span aria-hidden="true">×</span>
    </button>
  )
}
