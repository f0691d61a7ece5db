/** The load: writers that request runs of mixed kinds, change them, repeat requests and send requests that must be refused. */

import { setTimeout as sleep } from 'node:timers/promises'
import { commandStep } from '../../../kit/program/commandStep.ts'
import type { Random } from '../random.ts'
import { commandFor } from './agentKeeper.ts'
import type { Asker, OperationName } from './asker.ts'
import type { Asked } from './seen.ts'
import { Talks, talkConfiguration } from './talks.ts'

export interface World {
  readonly asker: Asker
  readonly worktreeIds: readonly string[]
  /** The file in which commands record their beginning and end. */
  readonly record: string
  /** The number of runs that are not terminal. Writers do not request more than a limit. */
  open(): number
}

const enough = 24
const policies = ['ALLOW_ALL', 'BUFFER_ALL', 'BUFFER_ONE', 'SKIP', 'CANCEL_OTHER', 'TERMINATE_OTHER'] as const
const workflowsMax = 12

const actions = {
  run: 30,
  prompt: 5,
  followUp: 6,
  talk: 6,
  talkFollowUp: 18,
  talkEdit: 7,
  talkWithdraw: 5,
  talkResume: 5,
  workflow: 4,
  start: 16,
  cancel: 10,
  configure: 6,
  pause: 3,
  repeat: 8,
  otherInput: 2,
  unknownRun: 2,
  draft: 1,
  cancelOver: 3,
  followWorkflow: 1,
} as const
type Action = keyof typeof actions

/** One writer: sends one request after the other until it is stopped. */
export class Writer {
  readonly #world: World
  readonly #random: Random
  readonly #name: string
  readonly #runs: Asked[] = []
  readonly #workflows: string[] = []
  readonly #drafts: string[] = []
  readonly #made: Asked[] = []
  readonly #talks: Talks
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
  }

  async run(done: AbortSignal): Promise<void> {
    while (!done.aborted) {
      const action = this.#random.weighted(actions)
      const makes = ['run', 'prompt', 'followUp', 'start', 'talk'].includes(action)
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
        return this.#followUp((asked) => asked.operation !== 'startWorkflow')
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
        return this.#followUp((asked) => asked.operation === 'startWorkflow')
      case 'workflow':
        return this.#workflow()
      case 'start':
        return this.#start(this.#random.pick(this.#workflows))
      case 'draft':
        return this.#start(this.#random.pick(this.#drafts))
      case 'cancel':
        return this.#withRun(this.#runs.slice(-6), (runId) => this.#ask('cancelRun', { runId, reason: 'chaos' }, false))
      case 'cancelOver':
        return this.#withRun(this.#runs.slice(0, -20), (runId) => this.#ask('cancelRun', { runId }, false))
      case 'configure':
        return this.#withRun(this.#runs.slice(-6), (runId) => {
          const configuration = { worktreeConcurrencyLimit: this.#random.whole(0, 2) }
          return this.#ask('updateRunConfiguration', { runId, configuration }, false)
        })
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
    const lines = this.#random.whole(1, 4)
    const seconds = (this.#random.whole(50, longestMs) / 1_000 / lines).toFixed(3)
    return `${seconds} ${lines} ${this.#random.next() < 0.2 ? 3 : 0} ${step}`
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

  async #workflow(): Promise<void> {
    if (this.#workflows.length >= workflowsMax) return
    const made = await this.#ask('createWorkflow', {
      name: `${this.#name} ${this.#count}`,
      steps: [commandStep('first', this.#command('first')), commandStep('second', this.#command('second'))],
      exclusiveWorktree: this.#random.next() < 0.5,
      overlapPolicy: this.#random.pick(policies),
      overlapScope: this.#random.pick(['WORKTREE', 'GLOBAL']),
      worktreeConcurrencyLimit: this.#random.whole(0, 2),
      timeoutSeconds: 60,
    })
    const workflowId = idOf(made)
    if (workflowId === undefined) return
    if (this.#random.next() < 0.2) {
      this.#drafts.push(workflowId)
      return
    }
    await this.#ask('publishWorkflow', { workflowId }, false)
    this.#workflows.push(workflowId)
  }

  async #start(workflowId: string | undefined): Promise<void> {
    if (workflowId === undefined) return
    const worktreeId = this.#random.pick(this.#world.worktreeIds)
    this.#keepRun(await this.#ask('startWorkflow', { workflowId, worktreeId }))
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
      this.#made.slice(-30).filter(({ operation }) => operation !== 'startWorkflow' || !('timeoutSeconds' in change)),
    )
    if (earlier === undefined) return
    await this.#world.asker.ask(earlier.operation as OperationName, { ...earlier.input, ...change })
  }
}

function idOf(asked: Asked | undefined): string | undefined {
  return asked?.answer.type === 'accepted' ? String(asked.answer.object.id) : undefined
}
