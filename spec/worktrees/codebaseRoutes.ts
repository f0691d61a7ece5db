/** REST routes of codebases, only for sessions: the list, and one codebase by its exact path. */
import * as v from 'valibot'
import { connectionStatus } from '../agents/agents.ts'
import { jobKind } from '../agents/jobs.ts'
import { id, named } from '../core/types.ts'
import { restRoute } from '../rest/restRoute.ts'
import { codebaseSchema } from './codebases.ts'
import { repositoryParts } from './repositories.ts'

/** REST returns agent and job as objects. GraphQL has relations instead. */
const { agentId: _, createdAt: __, repositoryId: ___, branchCount, ...own } = codebaseSchema.entries

const codebaseRecord = named(
  'CodebaseRecord',
  'A git repository on an agent’s machine.',
  v.object({
    ...own,
    repository: v.nullable(
      named('CodebaseRepository', 'The logical repository that its remote names.', v.object(repositoryParts)),
    ),
    branches: v.optional(
      v.pipe(
        v.array(v.string()),
        v.description('The names of the first 500 branches, by name. Present only with `?branches=true`.'),
      ),
    ),
    branchCount: v.pipe(
      v.optional(branchCount),
      v.description('The number of branches. Present only with `?branches=true`.'),
    ),
    agent: v.nullable(
      named(
        'CodebaseAgent',
        'The agent on whose machine the codebase is.',
        v.object({ id, name: v.string(), hostname: v.string(), connectionStatus }),
      ),
    ),
    activeJob: v.nullable(
      named(
        'CodebaseJob',
        'The job that executes in one of the codebase’s worktrees.',
        v.object({ id, kind: jobKind, status: v.string() }),
      ),
    ),
  }),
)

const match = named(
  'CodebaseMatch',
  'One of several codebases with the same path.',
  v.object({ codebaseId: id, agentId: v.nullable(id), agentName: v.nullable(v.string()) }),
)

const branches = v.optional(
  v.pipe(v.string(), v.description('`true` adds the names of the branches and their number.')),
)

export const codebaseRoutes = {
  listCodebases: restRoute({
    name: 'listCodebases',
    method: 'GET',
    path: '/api/codebases',
    tag: 'Codebases',
    summary: 'List codebases',
    access: 'sessions',
    query: v.object({ branches }),
    answers: { 200: { description: 'All codebases.', body: v.object({ codebases: v.array(codebaseRecord) }) } },
    refusals: [],
  }),
  getCodebaseByPath: restRoute({
    name: 'getCodebaseByPath',
    method: 'GET',
    path: '/api/codebases/by-path',
    tag: 'Codebases',
    summary: 'Get the codebase in a folder',
    description: 'Finds the codebase whose path is exactly the given one.',
    access: 'sessions',
    query: v.object({
      path: v.pipe(
        v.string(),
        v.minLength(1, 'must be the absolute path of a folder'),
        v.description('The absolute path of the folder.'),
      ),
      branches,
    }),
    queryRefusal: 'INVALID_PATH',
    answers: { 200: { description: 'The codebase.', body: v.object({ codebase: codebaseRecord }) } },
    refusals: [
      'CODEBASE_NOT_FOUND',
      {
        code: 'AMBIGUOUS_PATH',
        extras: { matches: v.pipe(v.array(match), v.description('The codebases with that path.')) },
      },
    ],
  }),
} as const
