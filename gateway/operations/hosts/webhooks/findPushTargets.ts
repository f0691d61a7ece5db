import type { DeliveredPush } from '../../../../machines/hosts/webhookDelivery.ts'
import { matchesBranch } from '../../../../spec/builds/onPush.ts'
import { pushTargetsMax } from '../../../../spec/hosts/webhookDeliveries.ts'
import { everyRow } from '../../core/everyRow.ts'
import type { TypedViews } from '../../typedViews.ts'
import type { Push } from './readPush.ts'

/** The active build configurations of the repository that build the branch, the oldest first. Undefined if the repository is not known. */
export async function findPushTargets(
  { repositories, branch, commit }: Push,
  views: TypedViews,
): Promise<DeliveredPush | undefined> {
  const found = await Promise.all(repositories.map((name) => views.findByKey('repository', name)))
  const repository = found.find((row) => row !== undefined)
  if (repository === undefined) return undefined
  const rows = await everyRow(views, {
    kind: 'buildConfiguration',
    where: { scopeId: repository.id },
    statuses: ['ACTIVE'],
  })
  const targets = rows.flatMap(({ id, context: { onPush } }) =>
    onPush && matchesBranch(onPush, branch) ? [{ buildConfigurationId: id, worktreeId: onPush.worktreeId }] : [],
  )
  return {
    repositoryId: repository.id,
    branch,
    commit,
    targets: targets.slice(0, pushTargetsMax),
    omitted: Math.max(0, targets.length - pushTargetsMax),
  }
}
