/** The choice of the scope of a new command or skill: all repositories, or one. */
import { useState } from 'preact/hooks'
import { graphql } from '../../data/graphql.ts'
import { useQuery } from '../../data/useQuery.ts'
import { messages } from '../../messages.ts'
import { ErrorMessage } from '../../parts/notices/ErrorMessage.tsx'
import { ObjectChoice, type OfferedObject, offeredCount } from '../../runs/create/ObjectChoice.tsx'

const texts = messages.work.scope

const newestQuery = graphql(`query ($first: Int!) { repositories(first: $first) {
  totalCount nodes { id owner name canonicalUrl }
} }`)

type ScopeType = 'all' | 'one'

export function ScopeField() {
  const [type, setType] = useState<ScopeType>('all')
  return (
    <>
      <fieldset class="segments">
        <legend>{texts.label}</legend>
        {(['all', 'one'] as const).map((choice) => (
          <label key={choice}>
            <input
              type="radio"
              name="scope"
              value={choice}
              checked={type === choice}
              onChange={() => setType(choice)}
            />
            {texts[choice]}
          </label>
        ))}
        <p class="hint">{texts.fixed}</p>
      </fieldset>
      {type === 'one' && <RepositoryChoice />}
    </>
  )
}

/** A field with the name `repositoryId`. */
export function RepositoryChoice() {
  const { data, error } = useQuery(newestQuery, { first: offeredCount })
  const [chosen, setChosen] = useState<OfferedObject>()
  if (error) return <ErrorMessage error={error} retriesAutomatically />
  if (data?.repositories.totalCount === 0) return <p class="problem">{texts.noRepositories}</p>
  return (
    <ObjectChoice
      name="repositoryId"
      label={texts.repository}
      kind="REPOSITORY"
      placeholder={texts.placeholder}
      newest={data?.repositories.nodes.map(({ id, owner, name, canonicalUrl }) => ({
        id,
        title: `${owner}/${name}`,
        detail: canonicalUrl,
      }))}
      totalCount={data?.repositories.totalCount ?? 0}
      chosen={chosen}
      onChoose={setChosen}
    />
  )
}

/** Null for all repositories. */
export function readScope(formData: FormData): string | null {
  const id = formData.get('scope') === 'one' ? formData.get('repositoryId') : null
  return typeof id === 'string' ? id : null
}
