/** Has the agent of a worktree read an image before and after a change, and waits until the bytes of both are on the server. */
import { LRUCache } from 'lru-cache'
import type { TypedRow } from '../../../../machines/rows.ts'
import type { DiffImageInit } from '../../../../machines/worktrees/diffImage.ts'
import { Failure } from '../../../../spec/core/failure.ts'
import { type DiffImageContents, diffImageReadingMs } from '../../../../spec/worktrees/diffImages.ts'
import type { GatewayOptions } from '../../../options.ts'
import { requireRow } from '../../core/rows.ts'
import { originOf } from '../../executeMutation.ts'
import type { RequestContext } from '../../requestContext.ts'

/** The image that is read, and its two sides. */
export interface DiffImageRequest {
  readonly worktreeId: string
  readonly path: string
  readonly oldPath: string
  readonly base: string
  readonly head: string | null
}

export interface DiffImageReading {
  readonly id: string
  readonly contents: DiffImageContents
}

/** The views of one image are requested together, and share one reading for this time, ms. The bytes are kept for longer. */
const sharedMs = 10_000
/** Beyond the machine's own deadline, for the messages between actors, ms. */
const marginMs = 5_000

export type DiffImagePorts = Pick<GatewayOptions, 'system' | 'views' | 'feed' | 'ids' | 'clock'>

export class DiffImageReader {
  readonly #ports: DiffImagePorts
  readonly #readings: LRUCache<string, Promise<DiffImageReading>>

  constructor(ports: DiffImagePorts) {
    this.#ports = ports
    this.#readings = new LRUCache({ max: 1_000, ttl: sharedMs, perf: { now: () => ports.clock.monotonic() } })
  }

  /**
   * Requests that arrive while the image is read, or soon after, share one reading.
   * @throws Failure NOT_FOUND, FAILED_PRECONDITION, UNAVAILABLE
   */
  async read(request: DiffImageRequest, context: RequestContext): Promise<DiffImageReading> {
    const { worktreeId, path, oldPath, base, head } = request
    const worktree = await requireRow(this.#ports.views, 'worktree', worktreeId)
    const key = JSON.stringify([worktreeId, path, oldPath, base, head])
    const known = this.#readings.get(key)
    if (known !== undefined) return await known
    const reading = this.#start(request, worktree, context)
    this.#readings.set(key, reading)
    // The time for which it is shared begins when it is ready.
    reading.then(
      () => this.#readings.set(key, reading),
      () => this.#readings.delete(key),
    )
    return await reading
  }

  async #start(request: DiffImageRequest, worktree: TypedRow<'worktree'>, context: RequestContext) {
    const { views, ids, system } = this.#ports
    const { status } = worktree.columns
    const worktreePath = worktree.context.path
    if (status !== 'PRESENT' || worktreePath === null)
      throw new Failure(
        'FAILED_PRECONDITION',
        `The worktree is ${status}. Its images can be read only while it is PRESENT.`,
        {
          details: { id: worktree.id, state: status },
        },
      )
    const { agentId } = worktree.init
    const agent = await requireRow(views, 'agent', agentId)
    const connection = agent.columns.status
    if (connection !== 'CONNECTED')
      throw new Failure(
        'FAILED_PRECONDITION',
        `The agent ${agent.init.name}, on whose machine the worktree is, is ${connection}. Try again when it is CONNECTED.`,
        { details: { id: agentId, state: connection } },
      )
    const create: DiffImageInit = { ...request, worktreePath, agentId, createdAt: context.now }
    const id = ids.next('diffImage')
    await system.ask({ to: { kind: 'diffImage', id }, event: { type: 'create' }, create }, originOf(undefined, context))
    return await this.#wait(id)
  }

  async #wait(id: string): Promise<DiffImageReading> {
    const { feed, views, clock } = this.#ports
    let isLate = false
    let changed = Promise.withResolvers<void>()
    const unlisten = feed.onActor(id, () => changed.resolve())
    const cancelTimer = clock.after(diffImageReadingMs + marginMs, () => {
      isLate = true
      changed.resolve()
    })
    try {
      for (;;) {
        const isLast = isLate
        // It has subscribed before it reads, so it misses no change between the two.
        const row = await views.get('diffImage', id)
        if (row?.columns.status === 'READY' && row.context.contents !== null)
          return { id, contents: row.context.contents }
        if (row?.columns.terminal) throw describeProblem(row)
        if (isLast) throw tooLate()
        await changed.promise
        changed = Promise.withResolvers<void>()
      }
    } finally {
      unlisten()
      cancelTimer()
    }
  }
}

function tooLate(): Failure {
  return new Failure(
    'UNAVAILABLE',
    `The agent did not send the image within ${diffImageReadingMs / 1_000} s. Its machine may be busy. Try again later.`,
    { retryAfterMs: 10_000 },
  )
}

function describeProblem({ init, context: { problem } }: TypedRow<'diffImage'>): Failure {
  if (problem?.code === 'AGENT_LOST')
    return new Failure('UNAVAILABLE', 'The agent was lost before it sent the image. Try again when it is CONNECTED.', {
      retryAfterMs: 10_000,
    })
  if (problem === null || problem.code === 'AGENT_SILENT') return tooLate()
  return new Failure('FAILED_PRECONDITION', `The agent could not read ${init.path}: ${problem.message}`, {
    details: { id: init.worktreeId, problem: problem.code },
  })
}
