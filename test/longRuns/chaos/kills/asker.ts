/**
 * A client that always retries: an interrupted request is sent again with the same key until there is an answer. All answers are
 * recorded.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { GraphqlRefusal, graphql } from '../../../kit/program/graphql.ts'
import type { Answer, Asked } from './seen.ts'

export interface Operation {
  readonly name: string
  /** The type of its input. */
  readonly input: string
  /** The payload's object and its fields. */
  readonly object: string
  readonly fields: string
  /** Fields of the payload if the object is created later. */
  readonly later?: string
}

const runFields =
  'id kind title status worktreeId worktreeConcurrencyLimit exclusiveWorktree ... on SessionRun { sessionId }'

export const operations = {
  createAgentRun: { name: 'createAgentRun', input: 'CreateAgentRunInput', object: 'run', fields: runFields },
  createRunFollowUp: {
    name: 'createRunFollowUp',
    input: 'CreateRunFollowUpInput',
    object: 'run',
    fields: runFields,
    later: 'queuedFollowUp { id: runId }',
  },
  updateQueuedFollowUp: {
    name: 'updateQueuedFollowUp',
    input: 'UpdateQueuedFollowUpInput',
    object: 'session',
    fields: 'id',
  },
  withdrawQueuedFollowUp: {
    name: 'withdrawQueuedFollowUp',
    input: 'WithdrawQueuedFollowUpInput',
    object: 'session',
    fields: 'id',
  },
  resumeQueuedFollowUps: {
    name: 'resumeQueuedFollowUps',
    input: 'ResumeQueuedFollowUpsInput',
    object: 'session',
    fields: 'id',
  },
  updateRunConfiguration: {
    name: 'updateRunConfiguration',
    input: 'UpdateRunConfigurationInput',
    object: 'run',
    fields: runFields,
  },
  cancelRun: { name: 'cancelRun', input: 'CancelRunInput', object: 'run', fields: runFields },
  createWorkflow: {
    name: 'createWorkflow',
    input: 'CreateWorkflowInput',
    object: 'workflow',
    fields: workflowFields(),
  },
  publishWorkflow: {
    name: 'publishWorkflow',
    input: 'PublishWorkflowInput',
    object: 'workflow',
    fields: workflowFields(),
  },
  startBuild: { name: 'startBuild', input: 'StartBuildInput', object: 'build', fields: buildFields() },
  rebuild: { name: 'rebuild', input: 'RebuildInput', object: 'build', fields: buildFields() },
  cancelBuild: { name: 'cancelBuild', input: 'CancelBuildInput', object: 'build', fields: buildFields() },
  retryRun: { name: 'retryRun', input: 'RetryRunInput', object: 'run', fields: runFields },
  pauseRun: { name: 'pauseRun', input: 'PauseRunInput', object: 'run', fields: runFields },
  resumeRun: { name: 'resumeRun', input: 'ResumeRunInput', object: 'run', fields: runFields },
  decideApproval: {
    name: 'decideApproval',
    input: 'DecideApprovalInput',
    object: 'step',
    fields: 'id runId status decision',
  },
  startWorkflow: { name: 'startWorkflow', input: 'StartWorkflowInput', object: 'run', fields: runFields },
  pauseWorktreeQueue: {
    name: 'pauseWorktreeQueue',
    input: 'PauseWorktreeQueueInput',
    object: 'worktreeQueue',
    fields: 'id worktreeId paused',
  },
  resumeWorktreeQueue: {
    name: 'resumeWorktreeQueue',
    input: 'ResumeWorktreeQueueInput',
    object: 'worktreeQueue',
    fields: 'id worktreeId paused',
  },
} as const satisfies Readonly<Record<string, Operation>>

export type OperationName = keyof typeof operations

function buildFields(): string {
  return 'id status worktreeId source'
}

function workflowFields(): string {
  return 'id status version overlapPolicy overlapScope'
}

/** Errors that concern only the moment and not the request. The request is sent again. */
const passing = new Set(['UNAVAILABLE', 'RATE_LIMITED', 'COST_LIMIT_EXCEEDED'])
const pauseMs = 100
/** Longer than any outage of the chaos. */
const patienceMs = 60_000

export class Asker {
  readonly asked: Asked[] = []
  /** The number of answers that were lost, or that had one of the passing errors. */
  lost = 0
  readonly #url: string
  readonly #key: string

  constructor(url: string, key: string) {
    this.#url = url
    this.#key = key
  }

  async ask(name: OperationName, input: Readonly<Record<string, unknown>>): Promise<Asked> {
    const sentAt = Date.now()
    let lastSentAt = sentAt
    let answer: Answer | undefined
    let tries = 0
    while (answer === undefined && Date.now() < sentAt + patienceMs) {
      if (tries > 0) await sleep(pauseMs)
      lastSentAt = Date.now()
      tries++
      answer = await this.#send(operations[name], input)
      if (answer === undefined) this.lost++
    }
    const asked: Asked = {
      operation: name,
      input,
      sentAt,
      lastSentAt,
      answeredAt: Date.now(),
      tries,
      answer: answer ?? { type: 'unknown' },
    }
    this.asked.push(asked)
    return asked
  }

  async #send({ name, input: type, object, fields, later = '' }: Operation, input: Readonly<Record<string, unknown>>) {
    const query = `mutation ($input: ${type}!) { ${name}(input: $input) { ${object} { ${fields} } ${later} } }`
    try {
      const data = await graphql<Record<string, Record<string, Record<string, unknown>>>>(
        this.#url,
        { 'X-API-Key': this.#key },
        query,
        { input },
      )
      return { type: 'accepted', object: data[name]?.[object] ?? data[name]?.queuedFollowUp ?? {} } as const
    } catch (error) {
      if (!(error instanceof GraphqlRefusal)) return undefined
      const [first] = error.errors
      const code = first?.extensions?.code ?? 'no code'
      if (passing.has(code)) return undefined
      const details = (first?.extensions?.details ?? {}) as Record<string, unknown>
      return { type: 'refused', code, message: first?.message ?? '', details } as const
    }
  }
}
