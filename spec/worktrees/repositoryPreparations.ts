/** How a new worktree of a logical repository is made ready: commands, kept by the repository and not by its checkouts. */
import * as v from 'valibot'
import { idempotencyKey } from '../agents/enrollments.ts'
import { oneOf } from '../core/oneOf.ts'
import { mutation, query } from '../core/operation.ts'
import { expectedRevision, revision } from '../core/revision.ts'
import { atMost, dateTime, id, idOf, named, text } from '../core/types.ts'
import { isCanonicalName } from './repositoryName.ts'

const preparationsMax = 50

const preparationSchema = named(
  'CodebaseRepositoryPreparation',
  'One command, run by the shell in the new worktree.',
  v.object({ name: v.string(), command: v.string() }),
)

export const preparationsSchema = named(
  'CodebaseRepositoryPreparations',
  'The commands that make a new worktree of a repository ready, in their order.',
  v.object({
    repositoryId: id,
    revision: v.pipe(
      revision,
      v.description('Counts how often they were saved; 0 if they never were. Give it back as `expectedRevision`.'),
    ),
    preparations: atMost(preparationsMax, preparationSchema),
    savedAt: v.nullable(dateTime),
    savedById: v.pipe(v.nullable(id), v.description('The user, API key or run that saved them last.')),
  }),
)

const repositoryRef = oneOf('RepositoryRefInput', 'A logical repository. Give exactly one of the fields.', {
  repositoryId: idOf('repository'),
  codebaseId: v.pipe(idOf('codebase'), v.description('The repository that the remote of this codebase names.')),
  name: v.pipe(
    text({ max: 500 }),
    v.check(isCanonicalName, 'must be host/owner/name, such as github.com/acme/shop'),
    v.description('`host/owner/name`, such as `github.com/acme/shop`. No codebase of it is needed.'),
  ),
})

export type RepositoryRef = v.InferOutput<typeof repositoryRef>

export const codebaseRepositoryPreparations = query({
  name: 'codebaseRepositoryPreparations',
  description: 'The commands that make a new worktree of a repository ready; none where nobody has saved any.',
  access: 'people',
  tool: {
    group: 'codebases',
    name: 'get_codebase_repository_preparations',
    title: 'Get a repository’s preparations',
    description:
      'The ordered shell commands that make a new worktree of a logical repository ready, with their revision. Give the repository by ' +
      'its ID, by one of its codebases, or by its name (`github.com/acme/shop`). Change them with `save_codebase_repository_preparations`.',
  },
  input: v.object({ repository: repositoryRef }),
  output: preparationsSchema,
})

export const saveCodebaseRepositoryPreparations = mutation({
  name: 'saveCodebaseRepositoryPreparations',
  description:
    'Replaces the commands that make a new worktree of a repository ready. Worktrees that there are stay as they are.',
  access: 'people',
  tool: {
    group: 'codebases',
    title: 'Save a repository’s preparations',
    description:
      'Replaces the whole ordered list of shell commands that make a new worktree of a logical repository ready; an empty list takes ' +
      'them away. Read them first with `get_codebase_repository_preparations`, and give its `revision` as `expectedRevision`, so that ' +
      'nobody’s change is lost: CONFLICT says that they were saved meanwhile.',
  },
  input: v.object({
    repository: repositoryRef,
    preparations: v.pipe(
      v.array(
        named(
          'CodebaseRepositoryPreparationInput',
          'One command, run by the shell in the new worktree.',
          v.object({ name: text({ min: 1, max: 100 }), command: text({ min: 1, max: 20_000 }) }),
        ),
      ),
      v.maxLength(preparationsMax),
      v.description('All of them, in the order in which they are run.'),
    ),
    expectedRevision: v.pipe(
      expectedRevision,
      v.description(
        'The `revision` that you have read; 0 if they were never saved. If there is another one by now, nothing is changed (CONFLICT). ' +
          'Omitted: any revision is changed.',
      ),
    ),
    idempotencyKey,
  }),
  output: named(
    'SaveCodebaseRepositoryPreparationsPayload',
    'The preparations as they were saved.',
    v.object({ codebaseRepositoryPreparations: preparationsSchema }),
  ),
})
