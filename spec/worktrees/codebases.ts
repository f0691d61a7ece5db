/** Codebases: git repositories on agents' machines. */
import * as v from 'valibot'
import { connectionOf, orderByOf, pageArguments } from '../core/connections.ts'
import { oneById } from '../core/oneById.ts'
import { query } from '../core/operation.ts'
import { dateTime, id, idOf, int, named } from '../core/types.ts'
import { syncStates } from './syncStates.ts'

export const syncState = named(
  'SyncState',
  'The branch compared with its upstream, in git’s terms.',
  v.picklist(syncStates),
)

export const availability = named(
  'Availability',
  'Whether the folder exists. MISSING: the agent no longer finds the folder. REMOVED: an operator removed the codebase.',
  v.picklist(['PRESENT', 'MISSING', 'REMOVED']),
)

const text = v.nullable(v.string())

export const codebaseSchema = named(
  'Codebase',
  'A git repository on an agent’s machine.',
  v.object({
    id,
    agentId: id,
    path: v.string(),
    observedOrigin: text,
    repositoryId: v.pipe(
      v.nullable(id),
      v.description(
        'The ID of the logical repository that the codebase’s remote names. Null if no remote names a host.',
      ),
    ),
    branch: text,
    headSha: text,
    upstream: text,
    ahead: v.nullable(int),
    behind: v.nullable(int),
    syncState,
    availability,
    statusError: text,
    branchCount: v.pipe(
      v.nullable(int),
      v.description('The number of branches. `branches` has the first 500, by name.'),
    ),
    lastCheckedAt: v.nullable(dateTime),
    lastFetchedAt: v.nullable(dateTime),
    createdAt: dateTime,
  }),
)

/** The state of a codebase as its agent reports it. */
export type CodebaseState = {
  readonly observedOrigin: string | null
  readonly branch: string | null
  readonly headSha: string | null
  readonly upstream: string | null
  readonly ahead: number | null
  readonly behind: number | null
  readonly syncState: v.InferOutput<typeof syncState>
  readonly statusError: string | null
  readonly branchCount: number | null
  readonly lastCheckedAt: string
  readonly lastFetchedAt: string | null
}

export const codebases = query({
  name: 'codebases',
  description: 'Codebases, newest first.',
  access: 'people',
  tool: {
    group: 'codebases',
    title: 'List codebases',
    name: 'get_codebases',
    description:
      'Lists the git repositories on the managed machines, newest first: path, branch, state compared with the upstream, and ' +
      'the logical repository that the remote names. Filter by `agentId` or `repositoryId`. A run needs a worktree of a ' +
      'codebase: see `get_worktrees`.',
  },
  input: v.object({
    ...pageArguments,
    orderBy: orderByOf('Codebase', ['CREATED_AT']),
    agentId: v.nullish(idOf('agent')),
    repositoryId: v.nullish(idOf('repository')),
  }),
  output: connectionOf('Codebase', codebaseSchema),
})

export const codebase = query({
  ...oneById('codebase', codebaseSchema),
  tool: {
    group: 'codebases',
    name: 'get_codebase',
    title: 'Get a codebase',
    description:
      'Returns one git repository on a managed machine: path, branch, commit, state compared with the upstream, and the names ' +
      'of its branches. `get_worktrees` with `codebaseId` returns its worktrees, and `create_worktree` creates another.',
  },
})
