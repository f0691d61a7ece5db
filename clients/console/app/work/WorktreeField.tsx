/** The worktree on which work is started: a field of a form with the name `worktreeId`. */
import { useState } from 'preact/hooks'
import { graphql } from '../data/graphql.ts'
import { useQuery } from '../data/useQuery.ts'
import { messages } from '../messages.ts'
import { ErrorMessage } from '../parts/notices/ErrorMessage.tsx'
import { ObjectChoice, type OfferedObject } from '../runs/create/ObjectChoice.tsx'
import { toOfferedWorktree } from '../runs/create/runDraft.ts'

const newestQuery = graphql('{ worktrees(first: 8) { totalCount nodes { id branch path agent { name } } } }')
const worktreeQuery = graphql('query ($id: ID!) { worktree(id: $id) { id branch path agent { name } } }')

interface WorktreeFieldProps {
  /** Default: `worktreeId`. */
  readonly name?: string
  /** The worktree that is chosen at first. */
  readonly initialId?: string | undefined
  onChoose?(id: string): void
}

export function WorktreeField({ name = 'worktreeId', initialId, onChoose }: WorktreeFieldProps) {
  if (initialId !== undefined) return <KnownWorktree name={name} id={initialId} />
  return <WorktreeChoice name={name} initial={undefined} onChoose={onChoose} />
}

function KnownWorktree({ name, id }: { readonly name: string; readonly id: string }) {
  const { data, error } = useQuery(worktreeQuery, { id })
  if (error) return <ErrorMessage error={error} retriesAutomatically />
  if (data === undefined) return null
  return <WorktreeChoice name={name} initial={data.worktree ? toOfferedWorktree(data.worktree) : undefined} />
}

interface WorktreeChoiceProps {
  readonly name: string
  readonly initial: OfferedObject | undefined
  onChoose?: ((id: string) => void) | undefined
}

function WorktreeChoice({ name, initial, onChoose }: WorktreeChoiceProps) {
  const { data, error } = useQuery(newestQuery, {})
  const [chosen, setChosen] = useState(initial)
  if (error) return <ErrorMessage error={error} retriesAutomatically />
  return (
    <ObjectChoice
      name={name}
      label={messages.work.worktree}
      kind="WORKTREE"
      newest={data?.worktrees.nodes.map(toOfferedWorktree)}
      totalCount={data?.worktrees.totalCount ?? 0}
      chosen={chosen}
      onChoose={(worktree) => {
        setChosen(worktree)
        onChoose?.(worktree.id)
      }}
    />
  )
}
