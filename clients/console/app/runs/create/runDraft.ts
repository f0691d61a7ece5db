/** The first values of the form of a new run: the input of an earlier run, or the choices of the last run that this browser started. */
import { graphql, type ResultOf, type VariablesOf } from '../../data/graphql.ts'
import { requestGraphql } from '../../data/request.ts'
import type { OfferedObject } from './ObjectChoice.tsx'

const formerRunQuery = graphql(`query ($id: ID!) { run(id: $id) {
  kind title cli task { prompt command timeoutSeconds }
  configuration { worktreeConcurrencyLimit model mode permissionPolicy } toolGrant { presetIds }
  worktree { id branch path agent { name } }
} }`)

const worktreeQuery = graphql('query ($id: ID!) { worktree(id: $id) { id branch path agent { name } } }')

export const createRunMutation = graphql(
  'mutation ($input: CreateAgentRunInput!) { createAgentRun(input: $input) { run { id } } }',
)

export type CreateRunInput = VariablesOf<typeof createRunMutation>['input']

type Configuration = NonNullable<ResultOf<typeof formerRunQuery>['run']>['configuration']

export interface RunDraft {
  readonly worktree: OfferedObject | undefined
  readonly kind: 'PLAN' | 'SESSION'
  readonly taskType: 'prompt' | 'command'
  readonly task: string
  readonly title: string
  readonly cli: string
  readonly model: string
  readonly mode: string
  readonly permissionPolicy: Configuration['permissionPolicy']
  readonly presetIds: readonly string[]
  /** Undefined for the default of the kind. */
  readonly concurrencyLimit: number | undefined
  /** Undefined for the default. */
  readonly timeoutMinutes: number | undefined
}

const emptyDraft: RunDraft = {
  worktree: undefined,
  kind: 'SESSION',
  taskType: 'prompt',
  task: '',
  title: '',
  cli: '',
  model: '',
  mode: '',
  permissionPolicy: 'ASK',
  presetIds: [],
  concurrencyLimit: undefined,
  timeoutMinutes: undefined,
}

export type NamedWorktree = NonNullable<ResultOf<typeof worktreeQuery>['worktree']>

export function toOfferedWorktree({ id, branch, path, agent }: NamedWorktree): OfferedObject {
  return { id, title: branch ?? path ?? id, detail: `${agent.name} · ${path ?? ''}` }
}

/**
 * @param fromRunId the run whose input is repeated. Empty for none
 * @param worktreeId the worktree that the link names. Empty for none
 * @throws ApiError if the run or the worktree cannot be read
 */
export async function loadDraft(fromRunId: string, worktreeId: string): Promise<RunDraft> {
  if (fromRunId !== '') return await loadFormerRun(fromRunId)
  const { worktree: lastWorktreeId, ...choices } = readLastChoices()
  const id = worktreeId === '' ? lastWorktreeId : worktreeId
  if (id === undefined) return { ...emptyDraft, ...choices }
  const { worktree } = await requestGraphql(worktreeQuery, { id })
  return { ...emptyDraft, ...choices, worktree: worktree ? toOfferedWorktree(worktree) : undefined }
}

async function loadFormerRun(id: string): Promise<RunDraft> {
  const { run } = await requestGraphql(formerRunQuery, { id })
  if (!run?.task) return emptyDraft
  const { prompt, command, timeoutSeconds } = run.task
  const { model, mode, permissionPolicy, worktreeConcurrencyLimit } = run.configuration
  return {
    worktree: toOfferedWorktree(run.worktree),
    kind: run.kind === 'PLAN' ? 'PLAN' : 'SESSION',
    taskType: command === null ? 'prompt' : 'command',
    task: prompt ?? command ?? '',
    title: run.title,
    cli: run.cli ?? '',
    model: model ?? '',
    mode: mode ?? '',
    permissionPolicy,
    presetIds: run.toolGrant?.presetIds ?? [],
    concurrencyLimit: worktreeConcurrencyLimit,
    timeoutMinutes: timeoutSeconds / 60,
  }
}

const storageKey = 'signalbox.lastRun'

interface LastChoices
  extends Partial<Pick<RunDraft, 'kind' | 'cli' | 'model' | 'mode' | 'permissionPolicy' | 'presetIds'>> {
  readonly worktree?: string
}

/** The browser may have no storage, or another program's text in it. */
function readLastChoices(): LastChoices {
  try {
    return JSON.parse(localStorage.getItem(storageKey) ?? '{}')
  } catch {
    return {}
  }
}

export function rememberChoices({ worktreeId, kind, cli, configuration, mcpPresetIds }: CreateRunInput): void {
  const choices: LastChoices = {
    worktree: worktreeId,
    kind,
    cli: cli ?? '',
    model: configuration?.model ?? '',
    mode: configuration?.mode ?? '',
    permissionPolicy: configuration?.permissionPolicy ?? 'ASK',
    presetIds: mcpPresetIds ?? [],
  }
  try {
    localStorage.setItem(storageKey, JSON.stringify(choices))
  } catch {
    // Without storage the form starts empty next time.
  }
}
