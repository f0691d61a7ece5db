/**
 * A model of the gateway. It executes the operations that steps and the schedule request, and the starts of people, in three parts with other
 * messages between them: the workflow is asked, the run is created, and the answer is sent. A workflow creates its runs by itself. Each request
 * is executed once.
 */
import type { RequestedOperation } from '../../../../machines/framework/requestOperation.ts'
import type { RunInit } from '../../../../machines/runs/runActions.ts'
import { workflowMembers } from '../../../../machines/work/workflowKeys.ts'
import type { ActorRef, Json } from '../../../../spec/core/actor.ts'
import { kindOfId } from '../../../../spec/core/ids.ts'
import type { WorkflowDefinition } from '../../../../spec/work/workflows/definition.ts'
import { type NewBuild, type NewRun, toId, type WorkflowWorld } from './workflowWorld.ts'

interface OpenRequest {
  /** Undefined for the request of a person. */
  readonly from: ActorRef | undefined
  readonly params: RequestedOperation
  runId?: string
  newRun?: NewRun
  newBuild?: NewBuild
  isCreated?: true
}

export class GatewayModel {
  readonly #world: WorkflowWorld
  readonly open: OpenRequest[] = []
  /** The runs that the schedule has caused, by the number of the firing. */
  readonly firings: { readonly number: number; readonly runId: string | null }[] = []
  refused = 0
  deadlocks = 0
  #waitChecks = 0

  constructor(world: WorkflowWorld) {
    this.#world = world
  }

  /** A person requests an operation. */
  request(operation: string, input: Readonly<Record<string, Json>>): void {
    this.open.push({ from: undefined, params: { operation, input, request: null, at: this.#world.actors.now } })
  }

  /** Takes the requests that actors have made since. */
  take(): void {
    for (const { from, params } of this.#world.actors.requests.splice(0)) this.open.push({ from, params })
    for (const { from, runId } of this.#world.actors.waitChecks.splice(0)) this.#answerWaitCheck(from, runId)
  }

  /** Half of the checks find a deadlock. The run of the step may have started since. */
  #answerWaitCheck(step: ActorRef, runId: string): void {
    if (this.#waitChecks++ % 2 === 1) return
    const found = { type: 'deadlockFound', runId, runIds: [runId] }
    if (this.#world.actors.send(step, found).type === 'accepted') this.deadlocks++
  }

  /** Executes the next part of a request. @param pick which request, and whether a new one is refused */
  advance(pick: number): void {
    this.take()
    const index = pick % Math.max(1, this.open.length)
    const request = this.open[index]
    if (request === undefined) return
    if (request.runId === undefined) {
      this.#begin(request, index, pick)
      return
    }
    if (request.isCreated === undefined) {
      const { actors } = this.#world
      if (request.newRun?.kind === 'WORKFLOW') {
        // The message of the workflow is still in flight.
        if (!actors.actors.has(request.runId)) return
      } else if (request.newRun !== undefined)
        actors.create({ kind: 'run', id: request.runId }, this.#world.toInit(request.newRun))
      if (request.newBuild !== undefined) this.#world.createBuild(request.runId, request.newBuild)
      request.isCreated = true
      return
    }
    this.open.splice(index, 1)
    this.#note(request, request.runId)
    this.#answer(request, {
      type: 'requestAnswered',
      answer: { [request.newBuild === undefined ? 'run' : 'build']: { id: request.runId } },
    })
  }

  #begin(request: OpenRequest, index: number, pick: number): void {
    if (request.params.operation === 'startBuild') {
      this.#beginBuild(request, index, pick)
      return
    }
    const planned = pick % 13 === 0 ? undefined : this.#plan(request)
    const runId = planned === undefined ? undefined : this.#world.nextRunId()
    const isRefused =
      planned === undefined ||
      runId === undefined ||
      (planned.kind === 'WORKFLOW' && !this.#askWorkflow(planned, runId))
    if (isRefused) {
      this.#refuse(request, index)
      return
    }
    request.runId = runId
    request.newRun = planned
  }

  #beginBuild(request: OpenRequest, index: number, pick: number): void {
    const { from, params } = request
    const worktreeId = String(params.input.worktreeId)
    const isRevoked = this.#world.state(this.#world.agentOf(worktreeId)).startsWith('REVOKED')
    const id = isRevoked || pick % 13 === 0 ? undefined : this.#world.nextRunId('build')
    if (id === undefined || from === undefined) {
      this.#refuse(request, index)
      return
    }
    request.runId = id
    const { source, commit } = params.input as { readonly source?: string; readonly commit: string | null }
    const slot = { limit: 1, exclusive: pick % 5 === 0, above: this.#aboveOf(params.as) }
    request.newBuild = { worktreeId, commit, stepId: from.id, ...(source === 'WORKTREE' ? { slot } : {}) }
  }

  /** The run that requests something, and the runs above it. */
  #aboveOf(runId: string | undefined): readonly string[] {
    return runId === undefined ? [] : [...this.#world.context<{ readonly init: RunInit }>(runId).init.above, runId]
  }

  #askWorkflow(planned: NewRun, runId: string): boolean {
    const { ownerId, worktreeId, above } = planned
    const { version } = this.#world.context<{ readonly version: number }>(ownerId)
    const newRun = { run: this.#world.toInit(planned), grant: null }
    const start = { type: 'start', runId, newRun, worktreeId, above, version }
    const result = this.#world.send('workflow', ownerId, start)
    return result.type === 'accepted'
  }

  /** The run of the operation. Undefined if the request must be refused. */
  #plan({ from, params }: OpenRequest): NewRun | undefined {
    const { operation, input, as } = params
    const worktreeId = String(input.worktreeId)
    if (this.#world.state(this.#world.agentOf(worktreeId)).startsWith('REVOKED')) return undefined
    const above = this.#aboveOf(as)
    if (above.length > 5) return undefined
    const step = from !== undefined && kindOfId(from.id) === 'workflowStep' ? { stepId: from.id } : {}
    const common = { worktreeId, above, ...step }
    if (operation === 'startWorkflow') {
      const ownerId = String(input.workflowId)
      const definition = this.#world
        .context(ownerId)
        .members.get(workflowMembers.published) as unknown as WorkflowDefinition
      const spec = { worktreePath: '/w', definition, inputs: {} } as unknown as Json
      const { worktreeConcurrencyLimit: limit, exclusiveWorktree: exclusive, timeoutSeconds } = definition
      return { ...common, kind: 'WORKFLOW', ownerId, limit, exclusive, timeoutSeconds, jobKind: 'STEPS', spec }
    }
    const kind = input.kind as 'PLAN' | 'SESSION'
    const ownerId = toId(kind === 'PLAN' ? 'plan' : 'session', 1 + this.#world.runs)
    const { limit = 0, exclusive = false } = input as { readonly limit?: number; readonly exclusive?: boolean }
    const timeoutSeconds = Number(input.timeoutSeconds)
    return { ...common, kind, ownerId, limit, exclusive, timeoutSeconds, jobKind: 'AI', spec: {} }
  }

  #refuse(request: OpenRequest, index: number): void {
    this.open.splice(index, 1)
    this.refused += 1
    this.#note(request, null)
    this.#answer(request, { type: 'requestRefused', code: 'FAILED_PRECONDITION', message: 'It cannot be started.' })
  }

  #note({ from, params }: OpenRequest, runId: string | null): void {
    if (from?.kind !== 'schedule') return
    this.firings.push({ number: (params.request as { readonly number: number }).number, runId })
  }

  #answer({ from, params }: OpenRequest, event: { readonly type: string; readonly [key: string]: Json }): void {
    if (from !== undefined) this.#world.actors.send(from, { ...event, request: params.request })
  }
}
