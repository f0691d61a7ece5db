/** Filters a list by one object, which the user finds by its name. A selected object is shown until it is removed. */
import { useEffect, useState } from 'preact/hooks'
import { useQuery } from '../data/useQuery.ts'
import { setFilters } from '../router.ts'
import { useSearch } from '../search/useSearch.ts'

interface PickerProps {
  /** The name of its parameter in the address. */
  readonly name: string
  readonly label: string
  /** The kind, as the search uses it. */
  readonly kind: 'AGENT' | 'WORKTREE'
  /** The ID in the address. '' for none. */
  readonly id: string
}

export function Picker({ name, label, kind, id }: PickerProps) {
  return id === '' ? <Choose name={name} label={label} kind={kind} /> : <Chosen name={name} kind={kind} id={id} />
}

function Choose({ name, label, kind }: Omit<PickerProps, 'id'>) {
  const [text, setText] = useState('')
  const { hits } = useSearch(text, 8, kind)
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
        list={`found-${name}`}
        autoComplete="off"
        value={text}
        onInput={({ currentTarget: { value } }) => {
          // The browser writes the value of the selected option into the field, which is an ID.
          if (hits.some((hit) => hit.id === value)) setFilters({ [name]: value })
          else setText(value)
        }}
      />
      <datalist id={`found-${name}`}>
        {hits.map((hit) => (
          <option key={hit.id} value={hit.id}>
            {hit.excerpt ? `${hit.title}, ${hit.excerpt}` : hit.title}
          </option>
        ))}
      </datalist>
    </>
  )
}

const named = {
  AGENT: 'query ($id: ID!) { agent(id: $id) { name } }',
  WORKTREE: 'query ($id: ID!) { worktree(id: $id) { branch path } }',
} as const

interface Named {
  readonly agent?: { readonly name: string } | null
  readonly worktree?: { readonly branch: string | null; readonly path: string | null } | null
}

function Chosen({ name, kind, id }: Omit<PickerProps, 'label'>) {
  const { data } = useQuery<Named>(named[kind], { id })
  const words = data?.agent?.name ?? data?.worktree?.branch ?? data?.worktree?.path ?? id
  return (
    <button
      type="button"
      class="quiet chosen"
      aria-label={`Not only ${words}`}
      onClick={() => setFilters({ [name]: '' })}
    >
      {words} <span aria-hidden="true">×</span>
    </button>
  )
}
