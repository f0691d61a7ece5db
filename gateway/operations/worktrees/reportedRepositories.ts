import { canonicalName } from '../../../spec/worktrees/repositoryName.ts'
import type { Envelope } from '../../messages.ts'
import type { RequestContext } from '../requestContext.ts'
import { createRepository } from './repositoryCreation.ts'
import { repositoryId } from './repositoryId.ts'

/** The repository that a remote names. */
export interface ReportedRepository {
  readonly id: string
  /** Present if the repository does not exist. Remotes of one repository share it. */
  readonly creation: Envelope | undefined
}

/**
 * The repositories that remotes name, by the remotes' addresses. Those that name no host are left out. One query reads which repositories
 * exist; there is none if there are no remotes.
 */
export async function reportedRepositories(
  origins: readonly (string | null)[],
  { views, now }: Pick<RequestContext, 'views' | 'now'>,
): Promise<ReadonlyMap<string | null, ReportedRepository>> {
  const names = new Map(
    origins.flatMap((origin) => {
      const name = canonicalName(origin)
      return name === undefined ? [] : [[origin, name] as const]
    }),
  )
  if (names.size === 0) return new Map()
  const distinct = [...new Set(names.values())]
  const ids = await Promise.all(distinct.map(repositoryId))
  const known = await views.getMany('repository', ids)
  const repositories = new Map(
    distinct.map((name, index): [string, ReportedRepository] => {
      const id = ids[index] ?? ''
      return [name, { id, creation: known.has(id) ? undefined : createRepository(id, name, now) }]
    }),
  )
  return new Map(
    [...names].flatMap(([origin, name]) => {
      const found = repositories.get(name)
      return found === undefined ? [] : [[origin, found] as const]
    }),
  )
}
