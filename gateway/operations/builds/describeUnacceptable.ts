import type { TypedRow } from '../../../machines/rows.ts'
import { requireRow } from '../core/rows.ts'
import type { TypedViews } from '../typedViews.ts'
import { describeUnsuitable } from './buildTarget.ts'

/**
 * The reason why the machine of a build's job cannot build it any more: a tag was removed since the build was started. Undefined if it can,
 * and for any other job.
 */
export async function describeUnacceptable(
  { init: { owner, agentId } }: TypedRow<'job'>,
  views: TypedViews,
): Promise<string | undefined> {
  if (owner.kind !== 'build') return undefined
  const [build, agent] = await Promise.all([requireRow(views, 'build', owner.id), requireRow(views, 'agent', agentId)])
  return describeUnsuitable(agent, build.init.content.requirements)
}
