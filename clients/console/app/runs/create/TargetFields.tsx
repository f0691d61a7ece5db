/** The place of a new run: a worktree, or a new worktree of a codebase. */
import { graphql } from '../../data/graphql.ts'
import { useQuery } from '../../data/useQuery.ts'
import { Field } from '../../parts/forms/Field.tsx'
import { EmptyState } from '../../parts/messages/EmptyState.tsx'
import { ErrorMessage } from '../../parts/messages/ErrorMessage.tsx'
import { ObjectChoice, type OfferedObject } from './ObjectChoice.tsx'
import { toOfferedWorktree } from './runDraft.ts'

const newestQuery = graphql(`{
  worktrees(first: 8) { totalCount nodes { id branch path agent { name } } }
  codebases(first: 8) { totalCount nodes { id path repository { name } agent { name } } }
}`)

export interface Target {
  readonly type: 'worktree' | 'newWorktree'
  readonly worktree: OfferedObject | undefined
  readonly codebase: OfferedObject | undefined
}

interface TargetFieldsProps {
  readonly target: Target
  onChange(target: Target): void
}

export function TargetFields({ target, onChange }: TargetFieldsProps) {
  const { data, error } = useQuery(newestQuery, {})
  if (error) return <ErrorMessage error={error} retriesAutomatically />
  if (data?.codebases.totalCount === 0)
    return (
      <EmptyState title="No repositories yet">
        <p>
          A run needs a repository on a machine. <a href="/machines">Add a machine</a>: its repositories appear here.
        </p>
      </EmptyState>
    )
  return (
    <>
      <fieldset class="segments">
        <legend>Place</legend>
        {(['worktree', 'newWorktree'] as const).map((type) => (
          <label key={type}>
            <input
              type="radio"
              name="targetType"
              value={type}
              checked={target.type === type}
              onChange={() => onChange({ ...target, type })}
            />
            {type === 'worktree' ? 'Existing worktree' : 'New worktree'}
          </label>
        ))}
      </fieldset>
      {target.type === 'worktree' ? (
        <ObjectChoice
          key="worktree"
          name="worktreeId"
          label="Worktree"
          kind="WORKTREE"
          newest={data?.worktrees.nodes.map(toOfferedWorktree)}
          totalCount={data?.worktrees.totalCount ?? 0}
          chosen={target.worktree}
          onChoose={(worktree) => onChange({ ...target, worktree })}
        />
      ) : (
        <>
          <ObjectChoice
            key="codebase"
            name="codebaseId"
            label="Repository"
            kind="CODEBASE"
            newest={data?.codebases.nodes.map(({ id, path, repository, agent }) => ({
              id,
              title: repository?.name ?? path,
              detail: `${agent.name} · ${path}`,
            }))}
            totalCount={data?.codebases.totalCount ?? 0}
            chosen={target.codebase}
            onChoose={(codebase) => onChange({ ...target, codebase })}
          />
          <Field name="branch" label="Branch" hint="It is created if it does not exist." maxLength={255} />
          <Field
            name="base"
            label="Start from"
            hint="A branch or commit. Empty: the branch of the same name on origin, otherwise HEAD."
            isOptional
            maxLength={255}
          />
        </>
      )}
    </>
  )
}
