import { Failure } from '../../spec/core/failure.ts'
import { comparePositions, type HistoryPosition } from '../../spec/core/historyPosition.ts'
import type { ActorKind } from '../../spec/core/ids.ts'
import type { KindHistoryPage } from '../../storage/ports/views.ts'
import type { TypedViews } from '../operations/typedViews.ts'

const pageSize = 500

/** Reads the next page of the transitions of a kind. @throws Failure if transitions between would be missing */
export async function kindPage(views: TypedViews, kind: ActorKind, after: HistoryPosition): Promise<KindHistoryPage> {
  const page = await views.kindHistory({ kind, after, limit: pageSize })
  if (page.gone) throw new Failure('HISTORY_GONE', 'Not all that follows this cursor is kept any more.')
  // The database was restored to an earlier state, or the cursor is from another server. Transitions would be missing without an error.
  if (comparePositions(page.position, after) < 0)
    throw new Failure('HISTORY_GONE', 'This cursor is ahead of all that the server has. Begin again without it.')
  return page
}
