import type { EffectHandler } from '../outbox/dispatcher.ts'

export interface FindDeadlockPorts {
  /** Returns the runs of a circle of runs that wait for each other, if this run is the one of them that must give way. */
  findDeadlock(runId: string): Promise<readonly string[] | undefined>
}

/** Checks whether a run waits for itself. Returns the event `deadlockFound` if it does. It only reads, so it may be repeated. */
export function findDeadlock(ports: FindDeadlockPorts): EffectHandler {
  return async ({ params }) => {
    const { runId } = params as unknown as { readonly runId: string }
    const runIds = await ports.findDeadlock(runId)
    return runIds === undefined ? undefined : { type: 'deadlockFound', runId, runIds: [...runIds] }
  }
}
