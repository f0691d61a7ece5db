/** The fields of a step that builds a build configuration. */
import { graphql } from '../../data/graphql.ts'
import { useQuery } from '../../data/useQuery.ts'
import { format, messages } from '../../messages.ts'
import { ChoiceField, Field } from '../../parts/forms/Field.tsx'
import { OtherWorktreeField } from './OtherWorktreeField.tsx'
import type { ActionParts } from './workflowInput.ts'

const texts = messages.workflows.form

const configurationsQuery = graphql(`{ buildConfigurations(first: 100) {
  totalCount nodes { id name repository { owner name } }
} }`)

interface BuildActionFieldsProps {
  /** The prefix of the names of the fields. */
  readonly name: string
  readonly build: ActionParts['build']
}

export function BuildActionFields({ name, build }: BuildActionFieldsProps) {
  const { data } = useQuery(configurationsQuery, {})
  const id = build?.buildConfigurationId ?? ''
  const { totalCount = 0, nodes = [] } = data?.buildConfigurations ?? {}
  const listed = nodes.map((node) => [node.id, `${node.name} · ${node.repository.owner}/${node.repository.name}`])
  // The chosen one is kept, also if it is archived or not among the newest.
  const choices: Readonly<Record<string, string>> = {
    ...(id === '' ? {} : { [id]: id }),
    ...Object.fromEntries(listed),
  }
  return (
    <>
      <ChoiceField
        key={nodes.length}
        name={`${name}.buildConfigurationId`}
        label={messages.builds.configuration}
        choices={choices}
        value={id}
      />
      {totalCount > nodes.length && (
        <p class="hint">{format(messages.parts.firstOf, { shown: nodes.length, total: totalCount })}</p>
      )}
      {data && Object.keys(choices).length === 0 && <p class="hint">{texts.noConfigurations}</p>}
      <div class="field-columns">
        <Field
          name={`${name}.commit`}
          label={messages.builds.commit}
          hint={`${messages.builds.commitHint} ${texts.referencesHint}`}
          value={build?.commit ?? ''}
          maxLength={500}
          isOptional
        />
        <ChoiceField
          name={`${name}.source`}
          label={messages.builds.source}
          choices={messages.builds.sources}
          value={build?.source ?? 'COMMIT'}
        />
        <ChoiceField
          name={`${name}.kind`}
          label={messages.builds.kind}
          choices={messages.builds.kinds}
          value={build?.kind ?? 'BUILD'}
        />
        <ChoiceField
          name={`${name}.serverUrlKind`}
          label={texts.serverUrlKind}
          choices={{ '': texts.serverUrlDefault, ...messages.serverUrls.kinds }}
          value={build?.serverUrlKind ?? ''}
        />
        <OtherWorktreeField name={name} value={build?.worktreeId} />
      </div>
    </>
  )
}
