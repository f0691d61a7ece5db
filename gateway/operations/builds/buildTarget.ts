import type { TypedRow } from '../../../machines/rows.ts'
import type { BuildRequirements } from '../../../spec/builds/configurationContent.ts'
import { Failure } from '../../../spec/core/failure.ts'
import { requireRow } from '../core/rows.ts'
import type { RequestContext } from '../requestContext.ts'

/** The worktree, codebase and machine of a build. */
export interface BuildTarget {
  readonly worktreeId: string
  readonly worktreePath: string
  readonly codebaseId: string
  readonly codebasePath: string
  readonly agentId: string
  /** The branch of the worktree. */
  readonly branch: string | null
}

/**
 * The place of a build of a repository.
 * @throws Failure NOT_FOUND, FAILED_PRECONDITION
 */
export async function requireBuildTarget(
  worktreeId: string,
  repositoryId: string,
  requirements: BuildRequirements,
  { views }: RequestContext<'views'>,
): Promise<BuildTarget> {
  const worktree = await requireRow(views, 'worktree', worktreeId)
  const { path, branch } = worktree.context
  if (worktree.columns.status !== 'PRESENT' || path === null)
    throw refused(`The worktree is ${worktree.columns.status}. A build needs a worktree that is PRESENT.`, {
      worktreeId,
      state: worktree.columns.status,
    })
  const { agentId, codebaseId, codebasePath } = worktree.init
  const codebase = await requireRow(views, 'codebase', codebaseId)
  if (codebase.context.repositoryId !== repositoryId)
    throw refused(
      `The configuration is for the repository ${repositoryId}, and the worktree is not of it. Use a worktree of that repository.`,
      { worktreeId, repositoryId },
    )
  const problem = describeUnsuitable(await requireRow(views, 'agent', agentId), requirements)
  if (problem !== undefined) throw refused(`${problem} Use a worktree on another machine.`, { agentId })
  return { worktreeId, worktreePath: path, codebaseId, codebasePath, agentId, branch }
}

/** The reason, as a sentence, why a machine cannot build it. Undefined if it can. */
export function describeUnsuitable(agent: TypedRow<'agent'>, requirements: BuildRequirements): string | undefined {
  const { facts, tags: given } = agent.context
  const { platform, arch } = facts
  const { platforms, architectures, tags = [] } = requirements
  const { name } = agent.init
  if (agent.columns.status === 'REVOKED') return `The agent ${name} was revoked.`
  if (platforms.length > 0 && !platforms.includes(platform))
    return `The configuration needs the platform ${platforms.join(' or ')}, and ${name} has ${platform}.`
  if (architectures.length > 0 && !architectures.includes(arch))
    return `The configuration needs the architecture ${architectures.join(' or ')}, and ${name} has ${arch}.`
  const missing = tags.filter((tag) => !given?.names.includes(tag))
  if (missing.length > 0)
    return `The configuration needs the ${missing.length === 1 ? 'tag' : 'tags'} ${missing.join(', ')}, and ${name} does not have ${missing.length === 1 ? 'it' : 'them'}.`
  return undefined
}

function refused(message: string, details: Record<string, unknown>): Failure {
  return new Failure('FAILED_PRECONDITION', message, { details })
}
