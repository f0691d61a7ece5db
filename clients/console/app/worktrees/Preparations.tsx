/** The commands that prepare each new worktree of a repository: shown, and edited as a whole. */
import { graphql } from '../data/graphql.ts'
import { useQuery } from '../data/useQuery.ts'
import { formatParts, messages } from '../messages.ts'
import { ActionButton } from '../parts/forms/ActionButton.tsx'
import { ErrorMessage } from '../parts/notices/ErrorMessage.tsx'
import { RelativeTime } from '../parts/RelativeTime.tsx'
import { useDialog } from '../state/dialogStore.ts'
import { type EditedPreparations, PreparationsDialog } from './PreparationsDialog.tsx'

const { preparations: texts } = messages.repositories

const preparationsQuery =
  graphql(`query ($id: ID!) { codebaseRepositoryPreparations(repository: { repositoryId: $id }) {
  revision savedAt savedBy { __typename ... on User { name } ... on ApiKey { name } ... on PlanRun { title } ... on SessionRun { title } ... on WorkflowRun { title } }
  preparations { name command }
} }`)

export function Preparations({ repositoryId }: { readonly repositoryId: string }) {
  const { data, error, refresh } = useQuery(preparationsQuery, { id: repositoryId })
  const { dialog, open, close } = useDialog<EditedPreparations>()
  const saved = data?.codebaseRepositoryPreparations
  return (
    <section class="fleet-section" aria-labelledby="preparations">
      <div class="heading-row">
        <h2 id="preparations">{texts.title}</h2>
        {saved && <ActionButton onClick={() => open(saved)}>{texts.edit}</ActionButton>}
      </div>
      <p class="hint">{texts.explanation}</p>
      {error && <ErrorMessage error={error} retriesAutomatically />}
      {saved?.preparations.length === 0 && <p>{texts.none}</p>}
      {saved && saved.preparations.length > 0 && (
        <ol class="preparations">
          {saved.preparations.map(({ name, command }, index) => (
            <li key={index}>
              <span>{name}</span>
              <pre class="command">{command}</pre>
            </li>
          ))}
        </ol>
      )}
      {saved?.savedAt && (
        <p class="hint">
          {formatParts(texts.saved, { name: nameOf(saved.savedBy), time: <RelativeTime at={saved.savedAt} /> })}
        </p>
      )}
      {dialog && <PreparationsDialog repositoryId={repositoryId} edited={dialog} onSaved={refresh} onClose={close} />}
    </section>
  )
}

function nameOf(savedBy: { readonly name: string } | { readonly title: string } | object | null): string {
  if (savedBy === null) return messages.worktrees.queue.someone
  if ('name' in savedBy) return savedBy.name
  return 'title' in savedBy ? savedBy.title : messages.worktrees.queue.someone
}
