/** The transitions of a kind, as a follower reads them. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { HistoryPosition } from '../../../spec/core/historyPosition.ts'
import type { ActorKind } from '../../../spec/core/ids.ts'
import type { KindHistoryPage, Views } from '../../../storage/ports/views.ts'

export type KindStep = KindHistoryPage['transitions'][number]

/** Everything after a position, page by page, until no transition is held back. */
export async function kindSteps(
  views: Views,
  kind: ActorKind,
  after: HistoryPosition,
  limit = 500,
): Promise<readonly KindStep[]> {
  const steps: KindStep[] = []
  for (let position = after; ; ) {
    const page = await views.kindHistory({ kind, after: position, limit })
    steps.push(...page.transitions)
    position = page.position
    // Transactions of other tests on the same server also hold transitions back for a moment.
    if (page.heldBack && !page.more) await sleep(5)
    else if (!page.more) return steps
  }
}

/** `actor:sequence` of each transition. */
export function namesOf(steps: readonly KindStep[]): readonly string[] {
  return steps.map(({ transition: step }) => `${step.id}:${step.seq}`)
}
