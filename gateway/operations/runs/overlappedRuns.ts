import type { ActorRow } from '../../../spec/core/actor.ts'
import { initOf } from '../../../spec/core/rows.ts'
import type { Views } from '../../../storage/ports/views.ts'
import { everyMember } from '../core/members.ts'

/** How a workflow keeps a run that was started (machines/worktrees/overlap.ts). */
interface StartedRun {
  readonly scope: string
  readonly above: readonly string[]
}

/** For each run that the overlap policy of its workflow holds back: the runs of the same scope that must end first. */
export async function overlappedRuns(
  runs: readonly ActorRow[],
  views: Pick<Views, 'members'>,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const active = new Map<string, Promise<readonly string[]>>()
  const activeIn = (workflowId: string, scope: string) => {
    const prefix = `active/${scope}/`
    const key = `${workflowId} ${prefix}`
    const found =
      active.get(key) ??
      views
        .members(workflowId, prefix, everyMember)
        .then((members) => members.map((one) => one.key.slice(prefix.length)))
    active.set(key, found)
    return found
  }
  const entries = await Promise.all(
    runs.map(async (run): Promise<readonly [string, readonly string[]]> => {
      const { ownerId } = initOf<{ ownerId: string }>(run)
      const [member] = await views.members(ownerId, `run/${run.id}`, 1)
      if (member === undefined) return [run.id, []]
      const { scope, above } = member.value as StartedRun
      return [run.id, (await activeIn(ownerId, scope)).filter((id) => !above.includes(id))]
    }),
  )
  return new Map(entries)
}
