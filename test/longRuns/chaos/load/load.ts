/** The whole load of a slice: clients of every surface at every process, from before the first fault until after the last. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { World } from '../program/world.ts'
import type { Random } from '../random.ts'
import { type Account, firstAccount } from './account.ts'
import { LogAgent } from './agent.ts'
import { Follower } from './follower.ts'
import { createOnce, refusedOnce, saveOnce } from './mutations.ts'
import { Readiness } from './readiness.ts'
import { Requests } from './requests.ts'
import { postTelemetry } from './telemetry.ts'
import { callTool } from './tools.ts'

export interface LoadContext {
  readonly requests: Requests
  readonly account: Account
  readonly random: Random
  /** Tasks that continue until the load ends. */
  readonly tasks: Promise<unknown>[]
  url(instance: number): string
  agentUrl(instance: number): string
  /** The process that a client uses next if it got no answer. */
  other(instance: number): number
}

export interface LoadOptions {
  /** 1 is the load that one process and its database can handle on two cores beside the harness. */
  readonly scale?: number
}

const hotWorkflows = 16

export class Load {
  readonly context: LoadContext
  readonly readiness = new Readiness()
  readonly agents: LogAgent[] = []
  readonly followers: Follower[] = []
  /** Workflows that the load writes to all the time. */
  readonly hot: string[] = []
  /** Changes that did not arrive in time, recorded by the fault that waited for them. */
  readonly unnoticed: string[] = []
  /** Workflows that only a fault writes to. */
  readonly quiet: string[] = []
  readonly #done = new AbortController()
  readonly #watchDone = new AbortController()
  readonly #watching: Promise<unknown>[] = []

  private constructor(context: LoadContext) {
    this.context = context
  }

  static async start(world: World, random: Random, tag: string, { scale = 1 }: LoadOptions = {}): Promise<Load> {
    const { instances } = world
    const url = (instance: number): string => instances[instance]?.url ?? ''
    const context: LoadContext = {
      requests: new Requests(tag),
      account: await firstAccount(url(0)),
      random,
      tasks: [],
      url,
      agentUrl: (instance) => instances[instance]?.agentUrl ?? '',
      other: (instance) => (instance + 1) % instances.length,
    }
    const load = new Load(context)
    await load.#prepare(instances.length)
    load.#begin(instances.length, scale)
    return load
  }

  /** Sends no more requests, and waits for those in flight. */
  async stop(): Promise<void> {
    this.#done.abort()
    await Promise.all(this.context.tasks)
  }

  /** Ends the subscriptions and the readiness polls. */
  async stopWatching(): Promise<void> {
    this.#watchDone.abort()
    await Promise.all(this.#watching)
  }

  async #prepare(instances: number): Promise<void> {
    const { context } = this
    const need = async (): Promise<string> => {
      const id = await createOnce(context, 0)
      if (id === undefined) throw new Error('no workflow could be created before the first fault')
      return id
    }
    for (let n = 0; n < hotWorkflows; n++) this.hot.push(await need())
    for (let n = 0; n < 2; n++) this.quiet.push(await need())
    for (let instance = 0; instance < instances; instance++) {
      const name = `agent${instance}`
      const taking = { name, instance, jobs: 3, takesOffers: true }
      this.agents.push(await LogAgent.start(context, taking, this.#done.signal))
    }
    const idle = { name: 'idle', instance: 0, jobs: 1, takesOffers: false }
    this.agents.push(await LogAgent.start(context, idle, this.#done.signal))
  }

  #begin(instances: number, scale: number): void {
    const { context, hot } = this
    const { random } = context
    const pick = (): string => random.pick(hot) ?? ''
    const keys = context.requests.all.filter(({ surface }) => surface === 'create').map(({ token }) => token)
    for (let instance = 0; instance < instances; instance++) {
      const workers = (count: number, work: () => Promise<unknown>, pauseMs: number): void => {
        for (let n = 0; n < Math.max(1, Math.round(count * scale)); n++) this.#repeat(work, pauseMs)
      }
      workers(10, () => saveOnce(context, instance, pick()), 25)
      workers(3, () => createOnce(context, instance), 60)
      workers(1, () => refusedOnce(context, instance, random.pick(keys) ?? ''), 150)
      workers(6, () => postTelemetry(context, instance), 40)
      workers(5, () => callTool(context, instance), 60)
      for (const id of [...hot.slice(0, 4), ...this.quiet]) this.#follow({ type: 'actor', id }, instance)
      this.#watching.push(this.readiness.watch(instance, context.url(instance), this.#watchDone.signal))
    }
    for (const agent of this.agents) {
      const [log] = agent.logs
      if (log !== undefined) this.#follow({ type: 'log', id: log.jobId }, context.other(log.instance))
    }
  }

  #follow(followed: Follower['followed'], instance: number): void {
    const follower = new Follower(this.context, followed, instance)
    this.followers.push(follower)
    this.#watching.push(follower.follow(this.#watchDone.signal))
  }

  #repeat(work: () => Promise<unknown>, pauseMs: number): void {
    const { random, tasks } = this.context
    const { signal } = this.#done
    const run = async (): Promise<void> => {
      while (!signal.aborted) {
        await work()
        await sleep(random.whole(0, pauseMs * 2))
      }
    }
    tasks.push(run())
  }
}
