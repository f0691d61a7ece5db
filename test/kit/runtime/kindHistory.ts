/** The transitions of a kind, as a follower reads them. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { HistoryPosition } from '../../../spec/core/historyPosition.ts'
import type { ActorKind } from '../../../spec/core/ids.ts'
import type { KindHistoryPage, Views } from '../../../storage/ports/views.ts'

export type KindTransition = KindHistoryPage['transitions'][number]

/** Everything after a position, page by page, until no transition is held back. */
export async function kindTransitions(
  views: Views,
  kind: ActorKind,
  after: HistoryPosition,
  limit = 500,
): Promise<readonly KindTransition[]> {
  const steps: KindTransition[] = []
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
export function namesOf(steps: readonly KindTransition[]): readonly string[] {
  return steps.map(({ transition: step }) => `${step.id}:${step.seq}`)
}
