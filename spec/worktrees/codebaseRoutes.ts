/** Codebases over REST, for sessions alone: the list, and one by its exact path. */
import * as v from 'valibot'
import { connectionStatus } from '../agents/agents.ts'
import { jobKind } from '../agents/jobs.ts'
import { id, named } from '../core/types.ts'
import { restRoute } from '../rest/restRoute.ts'
import { codebaseSchema } from './codebases.ts'
import { repositoryParts } from './repositories.ts'

/** REST shows agent and job where GraphQL has relations. */
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
      v.pipe(v.array(v.string()), v.description('The first 500 by name. With `?branches=true` only.')),
    ),
    branchCount: v.pipe(v.optional(branchCount), v.description('How many there are. With `?branches=true` only.')),
    agent: v.nullable(
      named(
        'CodebaseAgent',
        'Whose machine it is on.',
        v.object({ id, name: v.string(), hostname: v.string(), connectionStatus }),
      ),
    ),
    activeJob: v.nullable(
      named(
        'CodebaseJob',
        'The job that works in one of its worktrees now.',
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
    summary: 'All codebases',
    access: 'sessions',
    query: v.object({ branches }),
    answers: { 200: { description: 'All of them.', body: v.object({ codebases: v.array(codebaseRecord) }) } },
    refusals: [],
  }),
  getCodebaseByPath: restRoute({
    name: 'getCodebaseByPath',
    method: 'GET',
    path: '/api/codebases/by-path',
    tag: 'Codebases',
    summary: 'The codebase in a folder',
    description: 'Finds it by its exact path, and nothing like it.',
    access: 'sessions',
    query: v.object({
      path: v.pipe(v.string(), v.minLength(1, 'must be the absolute folder'), v.description('The absolute folder.')),
      branches,
    }),
    queryRefusal: 'INVALID_PATH',
    answers: { 200: { description: 'The codebase.', body: v.object({ codebase: codebaseRecord }) } },
    refusals: [
      'CODEBASE_NOT_FOUND',
      {
        code: 'AMBIGUOUS_PATH',
        extras: { matches: v.pipe(v.array(match), v.description('The codebases that have that path.')) },
      },
    ],
  }),
} as const
