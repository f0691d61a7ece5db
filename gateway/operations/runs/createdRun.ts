/**
 * The runs that a plan, a session or a workflow creates. The request for such a run is durable when its owner has answered, and the run
 * follows by a message of the owner: within milliseconds, or after the next start if the server ends in between.
 */
import type { TypedRow } from '../../../machines/rows.ts'
import { Failure } from '../../../spec/core/failure.ts'
import type { TypedViews } from '../typedViews.ts'

/** How long a request waits for them, ms. Another process takes over the messages of one that has ended after 3 s. */
const waitMs = 8_000

/** Pauses between two reads, ms. Each is twice the one before it. */
const pause = { first: 5, longest: 100 }

/** Reads until there is an answer. @throws Failure UNAVAILABLE. A repeat of the request then goes on waiting */
export async function whenCreated<T>(runId: string, read: () => Promise<T | undefined>): Promise<T> {
  const end = performance.now() + waitMs
  for (let ms = pause.first; ; ms = Math.min(2 * ms, pause.longest)) {
    const answer = await read()
    if (answer !== undefined) return answer
    if (performance.now() >= end) throw notYet(runId)
    await new Promise((resolve) => setTimeout(resolve, ms))
  }
}

const notYet = (runId: string): Failure =>
  new Failure(
    'UNAVAILABLE',
    `The request is stored, and the run ${runId} will be created. Read the run later, or repeat the request with the same idempotencyKey.`,
    { details: { runId }, retryAfterMs: 1_000 },
  )

export async function createdRun(runId: string, views: TypedViews): Promise<TypedRow<'run'>> {
  return await whenCreated(runId, () => views.get('run', runId))
}

/** By their IDs. */
export async function createdRuns(
  runIds: readonly string[],
  views: TypedViews,
): Promise<ReadonlyMap<string, TypedRow<'run'>>> {
  const [first] = runIds
  if (first === undefined) return new Map()
  return await whenCreated(first, async () => {
    const rows = await views.getMany('run', runIds)
    return rows.size === runIds.length ? rows : undefined
  })
}
