/** Logical repositories: each is what remotes of any number of codebases name, on whichever machines. */
import * as v from 'valibot'
import { connectionOf, orderByOf, pageArguments } from '../core/connections.ts'
import { oneById } from '../core/oneById.ts'
import { query } from '../core/operation.ts'
import { dateTime, id, named } from '../core/types.ts'

/** The fields that follow from the name of a repository alone. */
export const repositoryParts = {
  id: v.pipe(id, v.description('It follows from host, owner and name.')),
  host: v.string(),
  owner: v.pipe(v.string(), v.description('With more than one part if the host has groups within groups.')),
  name: v.string(),
  canonicalUrl: v.pipe(v.string(), v.description('`https://host/owner/name`, whatever the remotes are.')),
}

export const repositorySchema = named(
  'Repository',
  'A logical repository, whichever machines have a codebase of it.',
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
      'Lists the logical repositories that the remotes of codebases name, newest first: host, owner and name. A repository has codebases on ' +
      'any number of machines: see `get_codebases` with `repositoryId`.',
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
      'One logical repository: host, owner and name. Its checkouts come from `get_codebases` with `repositoryId`, and the commands that make ' +
      'a new worktree of it ready from `get_codebase_repository_preparations`.',
  },
})
