/** Processes on one database that write the same actors, for the contention bench and its everyday test. */

import type { ActorEvent, ActorRef, ActorRow } from '../../../../spec/core/actor.ts'
import { openStorage } from '../../../../storage/open.ts'
import type { Target } from '../../../../storage/sql/sql.ts'
import { storedLamp } from '../../../kit/runtime/lampAndWall.ts'
import { systemClock } from '../../../kit/runtime/systemClock.ts'
import { startSystem } from '../../../kit/runtime/testSystem.ts'

export interface ContendedProcess {
  create(): Promise<ActorRef>
  send(to: ActorRef, event: ActorEvent): Promise<ActorRow>
  close(): Promise<void>
}

export async function openContended(target: Target, owner: string): Promise<ContendedProcess> {
  const storage = await openStorage({ ...target, owner, log: () => {} })
  const { system, make, stop } = startSystem({
    definitions: [storedLamp],
    storage,
    clock: systemClock,
    owner,
    shared: true,
    problem: (error, context) => console.error(error, context),
  })
  const origin = () =>
    ({ cause: 'request', principal: 'usr_bench', requestId: 'bench', receivedAt: systemClock.now() }) as const
  return {
    create: () => make('plan'),
    send: async (to, event) => (await system.ask({ to, event }, origin(), { deadlineMs: 60_000 })).row,
    close: stop,
  }
}

export interface HotActorResult {
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
  readonly messages: number
  /** The number of transitions that the actor made for them. */
  readonly transitions: number
}

/** Each process has some senders. A sender sends its next message to the same actor when the last one is answered. */
export async function hotActor(
  processes: readonly ContendedProcess[],
  { senders, forMs }: { readonly senders: number; readonly forMs: number },
): Promise<HotActorResult> {
  const [first] = processes as [ContendedProcess]
  const to = await first.create()
  const took: number[] = []
  const began = performance.now()
  const sender = async (process: ContendedProcess): Promise<void> => {
    for (let sent = performance.now(); sent < began + forMs; sent = performance.now()) {
      await process.send(to, { type: 'note', key: 'last', value: String(sent) })
      took.push(performance.now() - sent)
    }
  }
  await Promise.all(processes.flatMap((process) => Array.from({ length: senders }, () => sender(process))))
  const seconds = (performance.now() - began) / 1_000
  const { seq } = await first.send(to, { type: 'smash' })
  took.sort((a, b) => a - b)
  const at = (share: number) => took[Math.floor((took.length - 1) * share)] ?? Number.NaN
  // The actor was created by its first transition and ended by its last.
  return { perSecond: took.length / seconds, p50: at(0.5), p99: at(0.99), messages: took.length, transitions: seq - 2 }
}

/** Returns the milliseconds that a change to one member of a collection of `rows` takes. The processes take turns. */
export async function alternate(
  processes: readonly ContendedProcess[],
  { rows, steps }: { readonly rows: number; readonly steps: number },
): Promise<number> {
  const [first] = processes as [ContendedProcess]
  const to = await first.create()
  const note = (index: number, value: string) => ({
    type: 'note',
    key: `entry/${String(index).padStart(8, '0')}`,
    value,
  })
  const pageSize = 500
  for (let from = 0; from < rows; from += pageSize) {
    const page = Array.from({ length: Math.min(pageSize, rows - from) }, (_, index) => from + index)
    await Promise.all(
      page.map((index) => first.send(to, note(index, 'a value of some length, as entries of queues have it'))),
    )
  }
  // Each process has the actor in memory before the first measured transition.
  for (const process of processes) await process.send(to, note(0, 'first'))
  const began = performance.now()
  for (let step = 0; step < steps; step++) {
    await processes[step % processes.length]?.send(to, note((step * 37) % rows, `step ${step}`))
  }
  return (performance.now() - began) / steps
}
