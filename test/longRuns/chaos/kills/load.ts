/** The load: writers that request runs of mixed kinds and builds, change them, repeat requests and send requests that must be refused. */

import { setTimeout as sleep } from 'node:timers/promises'
import type { Random } from '../random.ts'
import { commandFor } from './agentKeeper.ts'
import type { Asker, OperationName } from './asker.ts'
import { Builds } from './builds.ts'
import type { Asked } from './seen.ts'
import { Talks, talkConfiguration } from './talks.ts'
import { Workflows } from './workflows.ts'

export interface World {
  readonly asker: Asker
  readonly worktreeIds: readonly string[]
  readonly configurationIds: readonly string[]
  /** The file in which commands record their beginning and end. */
  readonly record: string
  /** The number of runs that are not terminal. Writers do not request more than a limit. */
  open(): number
}

const enough = 24
/** Each writer creates these before its other requests, so that short runs have workflows of each kind too. */
const startingWorkflows = 4

const actions = {
  run: 22,
  prompt: 5,
  followUp: 6,
  talk: 6,
  talkFollowUp: 18,
  talkEdit: 7,
  talkWithdraw: 5,
  talkResume: 5,
  workflow: 6,
  start: 24,
  decide: 16,
  retryWorkflow: 12,
  pauseWorkflow: 4,
  cancelWorkflow: 7,
  cancel: 10,
  configure: 6,
  pause: 3,
  repeat: 8,
  otherInput: 2,
  unknownRun: 2,
  draft: 1,
  cancelOver: 3,
  build: 14,
  rebuild: 4,
  cancelBuild: 6,
  followWorkflow: 1,
} as const
type Action = keyof typeof actions

/** One writer: sends one request after the other until it is stopped. */
export class Writer {
  readonly #world: World
  readonly #random: Random
  readonly #name: string
  readonly #runs: Asked[] = []
  readonly #made: Asked[] = []
  readonly #talks: Talks
  readonly #workflows: Workflows
  readonly #builds: Builds
  #count = 0

  constructor(world: World, random: Random, name: string) {
    this.#world = world
    this.#random = random
    this.#name = name
    this.#talks = new Talks({
      ask: (operation, input) => this.#ask(operation, input, operation === 'createRunFollowUp'),
      random,
      name,
      words: (step) => this.#words(step, 1_000),
    })
    this.#builds = new Builds({
      ask: (operation, input, keyed) => this.#ask(operation, input, keyed),
      random,
      worktreeIds: world.worktreeIds,
      configurationIds: world.configurationIds,
    })
    this.#workflows = new Workflows({
      ask: (operation, input, keyed) => this.#ask(operation, input, keyed),
      random,
      name,
      worktreeIds: world.worktreeIds,
      script: (step, isUnreliable) =>
        commandFor(world.record, this.#workOf(step, isUnreliable ? 'sometimes' : '0', 300)),
      keep: (asked) => this.#keepRun(asked),
      wait: () => sleep(random.whole(100, 1_500)),
    })
  }

  async run(done: AbortSignal): Promise<void> {
    for (let n = 0; n < startingWorkflows; n++) await this.#workflows.create()
    while (!done.aborted) {
      const action = this.#random.weighted(actions)
      const makes = ['run', 'prompt', 'followUp', 'start', 'talk', 'build', 'rebuild'].includes(action)
      if (!makes || this.#world.open() < enough) await this.#act(action)
      await sleep(this.#random.whole(50, 350))
    }
  }

  async #act(action: Action): Promise<void> {
    switch (action) {
      case 'run':
        return this.#keepRun(
          await this.#ask('createAgentRun', { ...this.#newRun(), task: { command: this.#command('one') } }),
        )
      case 'prompt':
        return this.#keepRun(
          await this.#ask('createAgentRun', { ...this.#newRun(), task: { prompt: this.#words('said') } }),
        )
      case 'followUp':
        return this.#followUp((asked) => !ofWorkflow(asked))
      case 'talk':
        return this.#talk()
      case 'talkFollowUp':
        await this.#talks.followUp()
        return
      case 'talkEdit':
        return this.#talks.edit()
      case 'talkWithdraw':
        return this.#talks.withdraw()
      case 'talkResume':
        return this.#talks.resume()
      case 'followWorkflow':
        return this.#followUp(ofWorkflow)
      case 'workflow':
        return this.#workflows.create()
      case 'start':
        return this.#workflows.start()
      case 'draft':
        return this.#workflows.startDraft()
      case 'decide':
        return this.#workflows.decide()
      case 'retryWorkflow':
        return this.#workflows.retry()
      case 'pauseWorkflow':
        return this.#workflows.pause()
      case 'cancelWorkflow':
        return this.#workflows.cancel()
      case 'cancel':
        return this.#withRun(this.#runs.slice(-6), (runId) => this.#ask('cancelRun', { runId, reason: 'chaos' }, false))
      case 'cancelOver':
        return this.#withRun(this.#runs.slice(0, -20), (runId) => this.#ask('cancelRun', { runId }, false))
      case 'configure':
        return this.#withRun(this.#runs.slice(-6), (runId) => {
          const configuration = { worktreeConcurrencyLimit: this.#random.whole(0, 2) }
          return this.#ask('updateRunConfiguration', { runId, configuration }, false)
        })
      case 'build':
        return this.#builds.start()
      case 'rebuild':
        return this.#builds.rebuild()
      case 'cancelBuild':
        return this.#builds.cancel()
      case 'pause':
        return this.#pause()
      case 'repeat':
        return this.#repeat({})
      case 'otherInput':
        return this.#repeat({ timeoutSeconds: 61 })
      case 'unknownRun': {
        await this.#ask('cancelRun', { runId: `run_${'0'.repeat(20)}${this.#random.whole(100_000, 999_999)}` }, false)
      }
    }
  }

  async #ask(name: OperationName, input: Readonly<Record<string, unknown>>, keyed = true): Promise<Asked> {
    const key = keyed ? { idempotencyKey: `${this.#name}-${++this.#count}` } : {}
    const asked = await this.#world.asker.ask(name, { ...input, ...key })
    if (keyed && asked.answer.type === 'accepted') this.#made.push(asked)
    return asked
  }

  #newRun(): Record<string, unknown> {
    const limit = this.#random.pick([undefined, 0, 1, 2])
    return {
      worktreeId: this.#random.pick(this.#world.worktreeIds),
      kind: this.#random.pick(['PLAN', 'SESSION']),
      title: `${this.#name} ${this.#count}`,
      timeoutSeconds: 60,
      ...(limit === undefined ? {} : { configuration: { worktreeConcurrencyLimit: limit } }),
    }
  }

  /** A session whose first turn takes about a second, so that follow-ups are queued. */
  async #talk(): Promise<void> {
    const command = commandFor(this.#world.record, '0.400 4 0 first')
    const asked = await this.#ask('createAgentRun', {
      ...this.#newRun(),
      kind: 'SESSION',
      configuration: talkConfiguration,
      task: { command },
    })
    this.#keepRun(asked)
    this.#talks.keep(asked)
  }

  /** 50 ms to the longest. One of five fails. */
  #words(step: string, longestMs = 500): string {
    return this.#workOf(step, this.#random.next() < 0.2 ? '3' : '0', longestMs)
  }

  #workOf(step: string, code: string, longestMs: number): string {
    const lines = this.#random.whole(1, 4)
    const seconds = (this.#random.whole(50, longestMs) / 1_000 / lines).toFixed(3)
    return `${seconds} ${lines} ${code} ${step}`
  }

  #command(step: string): string {
    return commandFor(this.#world.record, this.#words(step))
  }

  #keepRun(asked: Asked): void {
    if (asked.answer.type === 'accepted') this.#runs.push(asked)
  }

  async #withRun(runs: readonly Asked[], act: (runId: string) => Promise<unknown>): Promise<void> {
    const runId = idOf(this.#random.pick(runs))
    if (runId !== undefined) await act(runId)
  }

  async #followUp(fits: (asked: Asked) => boolean): Promise<void> {
    await this.#withRun(this.#runs.filter(fits), async (runId) => {
      this.#keepRun(
        await this.#ask('createRunFollowUp', {
          runId,
          prompt: this.#words(`next-${this.#name}-${this.#count}`),
          timeoutSeconds: 60,
        }),
      )
    })
  }

  async #pause(): Promise<void> {
    const worktreeId = this.#random.pick(this.#world.worktreeIds)
    await this.#ask('pauseWorktreeQueue', { worktreeId }, false)
    await sleep(this.#random.whole(100, 800))
    await this.#ask('resumeWorktreeQueue', { worktreeId }, false)
  }

  /** Sends a key again: the same input must give the same answer, another input a conflict. */
  async #repeat(change: Readonly<Record<string, unknown>>): Promise<void> {
    const earlier = this.#random.pick(
      this.#made.slice(-30).filter((asked) => !('timeoutSeconds' in change) || takesTimeLimit(asked)),
    )
    if (earlier === undefined) return
    await this.#world.asker.ask(earlier.operation as OperationName, { ...earlier.input, ...change })
  }
}

/** Whether the request may set a time limit. */
const takesTimeLimit = ({ operation }: Asked): boolean =>
  operation === 'createAgentRun' || operation === 'createRunFollowUp'

/** Whether the request created a run of a workflow, which gets no follow-up. */
const ofWorkflow = ({ operation }: Asked): boolean => operation === 'startWorkflow' || operation === 'retryRun'

function idOf(asked: Asked | undefined): string | undefined {
  return asked?.answer.type === 'accepted' ? String(asked.answer.object.id) : undefined
}
