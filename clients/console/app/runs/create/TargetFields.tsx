/** The place of a new run: a worktree, or a new worktree of a codebase. */
import { graphql } from '../../data/graphql.ts'
import { useQuery } from '../../data/useQuery.ts'
import { formatParts, messages } from '../../messages.ts'
import { Field } from '../../parts/forms/Field.tsx'
import { EmptyState } from '../../parts/notices/EmptyState.tsx'
import { ErrorMessage } from '../../parts/notices/ErrorMessage.tsx'
import { ObjectChoice, type OfferedObject } from './ObjectChoice.tsx'
import { toOfferedWorktree } from './runDraft.ts'

const newestQuery = graphql(`{
  worktrees(first: 8) { totalCount nodes { id branch path status agent { name } } }
  codebases(first: 8) { totalCount nodes { id path repository { name } agent { name } } }
}`)

const { place: texts } = messages.newRun

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
      <EmptyState title={texts.noRepositories}>
        <p>{formatParts(texts.noRepositoriesAdvice, { link: <a href="/machines">{texts.addMachine}</a> })}</p>
      </EmptyState>
    )
  return (
    <>
      <fieldset class="segments">
        <legend>{texts.label}</legend>
        {(['worktree', 'newWorktree'] as const).map((type) => (
          <label key={type}>
            <input
              type="radio"
              name="targetType"
              value={type}
              checked={target.type === type}
              onChange={() => onChange({ ...target, type })}
            />
            {texts[type]}
          </label>
        ))}
      </fieldset>
      {target.type === 'worktree' ? (
        <ObjectChoice
          key="worktree"
          name="worktreeId"
          label={texts.worktreeField}
          kind="WORKTREE"
          newest={data?.worktrees.nodes.filter(({ status }) => status === 'PRESENT').map(toOfferedWorktree)}
          totalCount={data?.worktrees.totalCount ?? 0}
          chosen={target.worktree}
          onChoose={(worktree) => onChange({ ...target, worktree })}
        />
      ) : (
        <>
          <ObjectChoice
            key="codebase"
            name="codebaseId"
            label={texts.repositoryField}
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
          <Field name="branch" label={texts.branch} hint={texts.branchHint} maxLength={255} />
          <Field name="base" label={texts.base} hint={texts.baseHint} isOptional maxLength={255} />
        </>
      )}
    </>
  )
}
