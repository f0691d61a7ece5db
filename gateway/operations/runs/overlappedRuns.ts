import type { TypedRow } from '../../../machines/rows.ts'
import { workflowMembers } from '../../../machines/work/workflowKeys.ts'
import { everyMember } from '../core/members.ts'
import type { TypedViews } from '../typedViews.ts'

/** The format in which a workflow stores a started run (machines/worktrees/overlap.ts). */
interface StartedRun {
  readonly scope: string
  readonly above: readonly string[]
}

/** For each run that the overlap policy of its workflow holds back: the runs of the same scope that must end first. */
export async function overlappedRuns(
  runs: readonly TypedRow<'run'>[],
  views: Pick<TypedViews, 'members'>,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const active = new Map<string, Promise<readonly string[]>>()
  const activeIn = (workflowId: string, scope: string) => {
    const keys = workflowMembers.active(scope)
    const key = `${workflowId} ${keys.prefix}`
    const found =
      active.get(key) ??
      views.members(workflowId, keys.prefix, everyMember).then((members) => members.map((one) => keys.toId(one.key)))
    active.set(key, found)
    return found
  }
  const entries = await Promise.all(
    runs.map(async (run): Promise<readonly [string, readonly string[]]> => {
      const { ownerId } = run.init
      const [member] = await views.members(ownerId, workflowMembers.run.toKey(run.id), 1)
      if (member === undefined) return [run.id, []]
      const { scope, above } = member.value as StartedRun
      return [run.id, (await activeIn(ownerId, scope)).filter((id) => !above.includes(id))]
    }),
  )
  return new Map(entries)
}
