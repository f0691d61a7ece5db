/** Logical repositories. A logical repository is named by the remotes of any number of codebases, on any machines. */
import * as v from 'valibot'
import { connectionOf, orderByOf, pageArguments } from '../core/connections.ts'
import { oneById } from '../core/oneById.ts'
import { query } from '../core/operation.ts'
import { dateTime, id, named } from '../core/types.ts'

/** The fields that follow from the name of a repository alone. */
export const repositoryParts = {
  id: v.pipe(id, v.description('The ID, derived from host, owner and name.')),
  host: v.string(),
  owner: v.pipe(
    v.string(),
    v.description('The owner. It has several parts, separated by `/`, if the host has nested groups.'),
  ),
  name: v.string(),
  canonicalUrl: v.pipe(
    v.string(),
    v.description('`https://host/owner/name`, independent of the addresses of the remotes.'),
  ),
}

export const repositorySchema = named(
  'Repository',
  'A repository identified by host, owner and name, independent of the machines that have a codebase of it.',
  v.object({ ...repositoryParts, createdAt: dateTime }),
)

export const repositories = query({
  name: 'repositories',
  description: 'Logical repositories, newest first.',
  access: 'people',
  tool: {
    group: 'codebases',
    title: 'List repositories',
    name: 'get_repositories',
    description:
      'Lists the logical repositories that the remotes of codebases name, newest first: host, owner and name. `get_codebases` ' +
      'with `repositoryId` returns the codebases of a repository on all machines.',
  },
  input: v.object({ ...pageArguments, orderBy: orderByOf('Repository', ['CREATED_AT', 'NAME']) }),
  output: connectionOf('Repository', repositorySchema),
})

export const repository = query({
  ...oneById('repository', repositorySchema),
  tool: {
    group: 'codebases',
    name: 'get_repository',
    title: 'Get a repository',
    description:
      'Returns one logical repository: host, owner and name. `get_codebases` with `repositoryId` returns its codebases. ' +
      '`get_codebase_repository_preparations` returns the commands that prepare its new worktrees.',
  },
})
