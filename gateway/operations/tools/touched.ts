import type { TypedRow } from '../../../machines/rows.ts'
import type { RowQuery } from '../../../storage/ports/views.ts'
import { requireRow } from '../core/rows.ts'
import type { TypedViews } from '../typedViews.ts'

export interface Touched {
  /** Each must have been started by the run that calls, or by a run that it started. */
  readonly runIds?: readonly string[]
  /** The logical repository: must be that of the calling run's codebase. */
  readonly repositoryId?: string
}

interface Context {
  readonly views: TypedViews
}

/** The run that is named. */
export const thatRun = ({ runId }: { readonly runId: string }): Touched => ({ runIds: [runId] })

/** Every turn of the plan or session that the run is a turn of: a conversation in which others have spoken is not its own. */
export async function itsTurns({ runId }: { readonly runId: string }, { views }: Context): Promise<Touched> {
  const { ownerId } = (await requireRow(views, 'run', runId)).init
  return { runIds: [...new Set([runId, ...(await runsWhere(views, { where: { scopeId: ownerId } })).map(idOf)])] }
}

const idOf = ({ id }: TypedRow<'run'>): string => id

type Which = Pick<RowQuery, 'where' | 'statuses' | 'terminal'>

/** All of them: one that was left out would be one that may be touched. */
export async function runsWhere(views: TypedViews, which: Which): Promise<readonly TypedRow<'run'>[]> {
  const found: TypedRow<'run'>[] = []
  for (let last: TypedRow<'run'> | undefined; ; ) {
    const page = await views.list({ kind: 'run', ...which, limit: 1_000, ...(last && { after: { id: last.id } }) })
    found.push(...page)
    last = page.at(-1)
    if (page.length < 1_000) return found
  }
}

export async function theRunsWhere(views: TypedViews, which: Which): Promise<Touched> {
  return { runIds: (await runsWhere(views, which)).map(idOf) }
}
