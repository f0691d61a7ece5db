/** The real machines of queues, runs, jobs, agents, workflows, executions, steps and a schedule, with the actors of one history. */

import type { BuildSlot } from '../../../../machines/builds/buildActions.ts'
import type { MachineContext } from '../../../../machines/framework/define.ts'
import type { Members } from '../../../../machines/framework/members.ts'
import type { RunInit } from '../../../../machines/runs/runActions.ts'
import type { ActorEvent, ActorRef, Json } from '../../../../spec/core/actor.ts'
import { type ActorKind, idOfUuid, siblingId } from '../../../../spec/core/ids.ts'
import { UnorderedActors } from '../../../kit/runtime/unorderedActors.ts'
import { toDefinition } from './toDefinition.ts'
import type { History } from './workflowHistory.ts'

/** More runs than this are refused, so that workflows that start themselves come to an end. */
const runsMax = 16

export const toId = (kind: ActorKind, number: number): string => idOfUuid(kind, number.toString(16).padStart(32, '0'))

export interface NewRun {
  readonly kind: RunInit['kind']
  readonly worktreeId: string
  readonly ownerId: string
  readonly above: readonly string[]
  readonly limit: number
  readonly exclusive: boolean
  readonly timeoutSeconds: number
  readonly jobKind: RunInit['jobKind']
  readonly spec: Json
  readonly stepId?: string
}

export interface NewBuild {
  readonly worktreeId: string
  readonly commit: string | null
  readonly stepId: string
  readonly slot?: BuildSlot
}

export class WorkflowWorld {
  readonly actors = new UnorderedActors()
  readonly agentIds: readonly string[]
  readonly worktreeIds: readonly string[]
  readonly workflowIds: readonly string[]
  readonly scheduleId = toId('schedule', 1)
  runs = 0
  /** Jobs of which the agent has confirmed that no process is left. */
  readonly gone = new Set<string>()

  constructor({ agents, worktrees, workflows }: Pick<History, 'agents' | 'worktrees' | 'workflows'>) {
    const ids = (kind: ActorKind, count: number) => Array.from({ length: count }, (_, index) => toId(kind, index + 1))
    this.agentIds = ids('agent', agents)
    this.worktreeIds = ids('worktree', worktrees)
    this.workflowIds = ids('workflow', workflows.length)
    const createdAt = this.actors.now
    const facts = { hostname: 'h', platform: 'linux', arch: 'x64', version: '1' }
    for (const id of this.agentIds) {
      this.actors.create(
        { kind: 'agent', id },
        { enrollmentId: toId('enrollment', 1), name: 'a', credentialHash: 'h', facts, createdAt },
      )
      this.connect(id)
    }
    for (const worktreeId of this.worktreeIds)
      this.actors.create(this.queueOf(worktreeId), { ...this.#placeOf(worktreeId), createdAt })
    const known = { worktrees: this.worktreeIds, workflows: this.workflowIds }
    for (const [index, drawn] of workflows.entries()) {
      const workflow = { kind: 'workflow', id: this.workflowIds[index] ?? '' } as const
      const { overlapPolicy, overlapScope } = drawn
      const rules = { overlapPolicy, overlapScope }
      this.actors.create(workflow, { definition: toDefinition(drawn, known), rules, createdAt })
      this.actors.send(workflow, { type: 'publish', by: 'usr', expectedRevision: 1 })
    }
    this.#createSchedule(createdAt)
    while (this.actors.mail.length > 0) this.actors.deliver(0)
  }

  #createSchedule(createdAt: number): void {
    const [worktreeId = ''] = this.worktreeIds
    const [workflowId = ''] = this.workflowIds
    const times = { cron: '*/2 * * * *', timeZone: 'UTC', jitterSeconds: 0, catchUpWindowSeconds: 900 }
    const content = { name: 's', worktreeId, inputs: {}, ...times, startAt: null, endAt: null }
    this.actors.create({ kind: 'schedule', id: this.scheduleId }, { workflowId, content, createdBy: 'usr', createdAt })
  }

  queueOf(worktreeId: string): ActorRef<'worktreeQueue'> {
    return { kind: 'worktreeQueue', id: siblingId('worktreeQueue', worktreeId) }
  }

  agentOf(worktreeId: string): string {
    return this.agentIds[this.worktreeIds.indexOf(worktreeId) % this.agentIds.length] ?? ''
  }

  #placeOf(worktreeId: string) {
    return { worktreeId, codebaseId: toId('codebase', 1), agentId: this.agentOf(worktreeId) }
  }

  /** The IDs are not in the order of the creation. Undefined if there are too many runs. */
  nextRunId(kind: 'run' | 'build' = 'run'): string | undefined {
    if (this.runs >= runsMax) return undefined
    this.runs += 1
    return toId(kind, 1_000 + ((this.runs * 37) % 101))
  }

  /** The values that a run is created with. */
  toInit({ worktreeId, above, ...run }: NewRun) {
    return {
      ...run,
      ...this.#placeOf(worktreeId),
      above,
      number: this.runs,
      title: 'a run',
      parentRunId: above.at(-1) ?? null,
      requestedBy: 'usr',
      createdAt: this.actors.now,
    }
  }

  /** The configuration has nothing that the machine of a build looks at, but the time limit. */
  createBuild(id: string, { commit, ...build }: NewBuild): void {
    const urls = { kind: 'REMOTE', local: 'http://l', remote: 'http://r', proxy: null }
    const content = {
      name: 'b',
      steps: [],
      environment: [],
      artifacts: [],
      requirements: { tools: [] },
      timeoutSeconds: 60,
    }
    const facts = { number: this.runs, branch: null, rebuildOf: null, requestedBy: 'usr', createdAt: this.actors.now }
    this.actors.create(
      { kind: 'build', id },
      {
        ...{
          ...build,
          ...this.#placeOf(build.worktreeId),
          ...facts,
          content,
          serverUrls: urls,
          requestedCommit: commit,
        },
        ...{
          kind: 'BUILD',
          trigger: 'WORKFLOW',
          repository: 'r',
          repositoryId: 'rep_1',
          worktreePath: '/w',
          codebasePath: '/c',
        },
      },
    )
  }

  /** The agent confirms that no process of these jobs is left. */
  confirmGone(agentId: string, jobIds: readonly string[]): void {
    for (const id of jobIds) this.gone.add(id)
    this.send('agent', agentId, { type: 'jobsGone', jobIds })
  }

  connect(agentId: string, forgot: readonly string[] = [], gone: readonly string[] = []): void {
    for (const id of gone) this.gone.add(id)
    const facts = { hostname: 'h', platform: 'p', arch: 'a', version: '1' }
    this.send('agent', agentId, { type: 'connect', facts, clis: [], forgot, gone })
  }

  send(kind: ActorKind, id: string, event: ActorEvent) {
    return this.actors.send({ kind, id }, event)
  }

  context<C = MachineContext & { readonly members: Members }>(id: string): C {
    return this.actors.context<C>(id)
  }

  /** The actors of a kind, in the order of their creation. */
  idsOf(kind: ActorKind): readonly string[] {
    return [...this.actors.actors.values()].flatMap(({ ref }) => (ref.kind === kind ? [ref.id] : []))
  }

  activeIdsOf(kind: ActorKind): readonly string[] {
    return this.idsOf(kind).filter((id) => !this.actors.isOver(id))
  }

  state(id: string): string {
    return this.actors.state(id)
  }
}

export function pickOf<T>(all: readonly T[], pick: number): T | undefined {
  return all[pick % Math.max(1, all.length)]
}
