/**
 * Preparations: the commands that prepare a new worktree of a logical repository. They belong to the repository and not to its
 * codebases.
 */
import * as v from 'valibot'
import { idempotencyKey } from '../core/idempotencyKey.ts'
import { oneOf } from '../core/oneOf.ts'
import { mutation, query } from '../core/operation.ts'
import { expectedRevision, revision } from '../core/revision.ts'
import { atMost, dateTime, id, idOf, named, text } from '../core/types.ts'
import { isCanonicalName } from './repositoryName.ts'

const preparationsMax = 50

const preparationSchema = named(
  'CodebaseRepositoryPreparation',
  'One command that the shell runs in the new worktree.',
  v.object({ name: v.string(), command: v.string() }),
)

export const preparationsSchema = named(
  'CodebaseRepositoryPreparations',
  'The commands that prepare a new worktree of a repository, in the order in which they run.',
  v.object({
    repositoryId: id,
    revision: v.pipe(
      revision,
      v.description('The number of times that the preparations were saved. 0: never. Pass it as `expectedRevision`.'),
    ),
    preparations: atMost(preparationsMax, preparationSchema),
    savedAt: v.nullable(dateTime),
    savedById: v.pipe(
      v.nullable(id),
      v.description(
        'The ID of the user, API key or run that last saved the preparations. Null if they were never saved.',
      ),
    ),
  }),
)

const repositoryRef = oneOf('RepositoryRefInput', 'A logical repository. Give exactly one of the fields.', {
  repositoryId: idOf('repository'),
  codebaseId: v.pipe(
    idOf('codebase'),
    v.description('The ID of a codebase. The repository is the one that its remote names.'),
  ),
  name: v.pipe(
    text({ max: 500 }),
    v.check(isCanonicalName, 'must be host/owner/name, such as github.com/acme/shop'),
    v.description('`host/owner/name`, such as `github.com/acme/shop`. The repository needs no codebase.'),
  ),
})

export type RepositoryRef = v.InferOutput<typeof repositoryRef>

export const codebaseRepositoryPreparations = query({
  name: 'codebaseRepositoryPreparations',
  description:
    'Returns the commands that prepare a new worktree of a repository. The list is empty if none were saved.',
  access: 'people',
  tool: {
    group: 'codebases',
    name: 'get_codebase_repository_preparations',
    title: 'Get a repository’s preparations',
    description:
      'Returns the ordered shell commands that prepare a new worktree of a logical repository, with their revision. Give the ' +
      'repository by its ID, by one of its codebases, or by its name (`github.com/acme/shop`). ' +
      '`save_codebase_repository_preparations` changes the commands.',
  },
  input: v.object({ repository: repositoryRef }),
  output: preparationsSchema,
})

export const saveCodebaseRepositoryPreparations = mutation({
  name: 'saveCodebaseRepositoryPreparations',
  description: 'Replaces the commands that prepare a new worktree of a repository. Existing worktrees do not change.',
  access: 'people',
  tool: {
    group: 'codebases',
    title: 'Save a repository’s preparations',
    description:
      'Replaces the whole ordered list of shell commands that prepare a new worktree of a logical repository. An empty list ' +
      'removes them. Read them first with `get_codebase_repository_preparations`, and pass its `revision` as ' +
      '`expectedRevision`. CONFLICT means that the commands were saved in the meantime: read them again.',
  },
  input: v.object({
    repository: repositoryRef,
    preparations: v.pipe(
      v.array(
        named(
          'CodebaseRepositoryPreparationInput',
          'One command that the shell runs in the new worktree.',
          v.object({ name: text({ min: 1, max: 100 }), command: text({ min: 1, max: 20_000 }) }),
        ),
      ),
      v.maxLength(preparationsMax),
      v.description('All commands, in the order in which they run.'),
    ),
    expectedRevision: v.pipe(
      expectedRevision,
      v.description(
        'The `revision` that the caller has read. 0: the preparations were never saved. If there is another one, nothing is changed (CONFLICT). ' +
          'If omitted, any revision is changed.',
      ),
    ),
    idempotencyKey,
  }),
  output: named(
    'SaveCodebaseRepositoryPreparationsPayload',
    'The saved preparations.',
    v.object({ codebaseRepositoryPreparations: preparationsSchema }),
  ),
})
