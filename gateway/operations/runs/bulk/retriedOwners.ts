import type { TypedRow } from '../../../../machines/rows.ts'
import { Failure } from '../../../../spec/core/failure.ts'

/** Finds the runs whose plan or session has another run in the same step. It has one active turn, so only the first of its runs is retried. */
export class RetriedOwners {
  readonly #owners = new Set<string>()

  /** Returns a failure if another run of its plan or session was taken before. */
  refuse({ id, init: { kind, ownerId } }: TypedRow<'run'>): Failure | undefined {
    if (kind === 'WORKFLOW') return undefined
    if (!this.#owners.has(ownerId)) {
      this.#owners.add(ownerId)
      return undefined
    }
    const owner = kind.toLowerCase()
    return new Failure(
      'FAILED_PRECONDITION',
      `A newer run of the same ${owner} is retried by this action, and a ${owner} has one active turn.`,
      { details: { runId: id } },
    )
  }
}
