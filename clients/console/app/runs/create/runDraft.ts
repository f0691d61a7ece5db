/** The first values of the form of a new run: the input of an earlier run, or the choices of the last run that this browser started. */
import { ApiError } from '../../data/apiError.ts'
import { graphql, type ResultOf, type VariablesOf } from '../../data/graphql.ts'
import { requestGraphql } from '../../data/request.ts'
import { messages } from '../../messages.ts'
import type { OfferedObject } from './ObjectChoice.tsx'

const formerRunQuery = graphql(`query ($id: ID!) { run(id: $id) {
  kind title cli task { prompt command timeoutSeconds }
  configuration { worktreeConcurrencyLimit model mode permissionPolicy permissionRules { kind decision } } toolGrant { presetIds }
  worktree { id branch path agent { name } }
} }`)

const worktreeQuery = graphql('query ($id: ID!) { worktree(id: $id) { id branch path status agent { name } } }')

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
  /** Those of the former run. The form keeps them. */
  readonly permissionRules: Configuration['permissionRules']
  readonly presetIds: readonly string[]
  /** Undefined for the default of the kind. */
  readonly concurrencyLimit: number | undefined
  /** Undefined for the default. */
  readonly timeoutMinutes: number | undefined
}

export const emptyDraft: RunDraft = {
  worktree: undefined,
  kind: 'SESSION',
  taskType: 'prompt',
  task: '',
  title: '',
  cli: '',
  model: '',
  mode: '',
  permissionPolicy: 'ASK',
  permissionRules: [],
  presetIds: [],
  concurrencyLimit: undefined,
  timeoutMinutes: undefined,
}

type NamedWorktree = Omit<NonNullable<ResultOf<typeof worktreeQuery>['worktree']>, 'status'>

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
  return {
    ...emptyDraft,
    ...choices,
    worktree: worktree?.status === 'PRESENT' ? toOfferedWorktree(worktree) : undefined,
  }
}

async function loadFormerRun(id: string): Promise<RunDraft> {
  const { run } = await requestGraphql(formerRunQuery, { id })
  if (!run) throw new ApiError('NOT_FOUND', messages.parts.notFound.title)
  // The runs of the steps of a workflow have tasks. The run of the workflow has none.
  if (run.task === null) return { ...emptyDraft, worktree: toOfferedWorktree(run.worktree) }
  const { prompt, command, timeoutSeconds } = run.task
  const { model, mode, permissionPolicy, permissionRules, worktreeConcurrencyLimit } = run.configuration
  const task = prompt ?? command ?? ''
  return {
    worktree: toOfferedWorktree(run.worktree),
    kind: run.kind === 'PLAN' ? 'PLAN' : 'SESSION',
    taskType: command === null ? 'prompt' : 'command',
    task,
    // A title that is the beginning of the former task does not fit another one.
    title: task.startsWith(run.title.replace(/…$/, '')) ? '' : run.title,
    cli: run.cli ?? '',
    model: model ?? '',
    mode: mode ?? '',
    permissionPolicy,
    permissionRules,
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

/** A command has no coding CLI, so the choices of the last prompt stay. */
export function rememberChoices({ worktreeId, kind, task, cli, configuration, mcpPresetIds }: CreateRunInput): void {
  const ofPrompt = {
    kind,
    cli: cli ?? '',
    model: configuration?.model ?? '',
    mode: configuration?.mode ?? '',
    permissionPolicy: configuration?.permissionPolicy ?? 'ASK',
    presetIds: mcpPresetIds ?? [],
  }
  const choices: LastChoices = { ...readLastChoices(), worktree: worktreeId, ...('prompt' in task ? ofPrompt : {}) }
  try {
    localStorage.setItem(storageKey, JSON.stringify(choices))
  } catch {
    // Without storage the form starts empty next time.
  }
}
