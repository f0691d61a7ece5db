/** How a new worktree of a logical repository is made ready: commands, kept by the repository and not by its checkouts. */
import * as v from 'valibot'
import type { ActorRow } from './actor.ts'
import type { CodebaseState } from './codebases.ts'
import { idempotencyKey } from './enrollments.ts'
import { Failure } from './failure.ts'
import { mutation, query } from './operation.ts'
import { principalName } from './principal.ts'
import { rowAt } from './replies.ts'
import { repositoryOf } from './repository.ts'
import { contextOf, initOf, requireRow } from './rows.ts'
import { dateTime, idOf, int, named, text, toDateTime } from './types.ts'
import type { Views } from './views.ts'

export interface Preparation {
  readonly name: string
  readonly command: string
}

const preparationSchema = named(
  'CodebaseRepositoryPreparation',
  'One command, run by the shell in the new worktree.',
  v.object({ name: v.string(), command: v.string() }),
)

const preparationsSchema = named(
  'CodebaseRepositoryPreparations',
  'The commands that make a new worktree of a repository ready, in their order.',
  v.object({
    repositoryId: v.pipe(v.string(), v.description('`host/owner/name`')),
    revision: v.pipe(int, v.description('Counts how often they were saved; 0 where they never were.')),
    preparations: v.array(preparationSchema),
    savedAt: v.nullable(dateTime),
    savedBy: v.nullable(v.string()),
  }),
)

const which = {
  repositoryId: v.pipe(
    v.nullish(text({ min: 5, max: 500 })),
    v.description('The logical repository as codebases show it: `github.com/acme/shop`.'),
  ),
  codebaseId: v.pipe(v.nullish(idOf('codebase')), v.description('Instead of it, one of its codebases.')),
}

interface Which {
  readonly repositoryId?: string | null | undefined
  readonly codebaseId?: string | null | undefined
}

/** @throws Failure BAD_USER_INPUT, NOT_FOUND, FAILED_PRECONDITION */
async function repositoryIdOf({ repositoryId, codebaseId }: Which, views: Views): Promise<string> {
  if (Boolean(repositoryId) === Boolean(codebaseId)) {
    throw new Failure('BAD_USER_INPUT', 'Give either repositoryId or codebaseId.', {
      details: { field: repositoryId ? 'codebaseId' : 'repositoryId' },
    })
  }
  if (repositoryId) {
    if (repositoryOf(`https://${repositoryId}`)?.id === repositoryId) return repositoryId
    const problem = 'must be host/owner/name, such as github.com/acme/shop'
    throw new Failure('BAD_USER_INPUT', `repositoryId ${problem}.`, { details: { field: 'repositoryId', problem } })
  }
  const row = await requireRow(views, 'codebase', codebaseId ?? '')
  const own = repositoryIdOfCodebase(row)
  if (own !== undefined) return own
  throw new Failure('FAILED_PRECONDITION', 'The codebase has no remote that names a repository.', {
    details: { codebaseId: row.id },
  })
}

const repositoryIdOfCodebase = (row: ActorRow): string | undefined =>
  repositoryOf(contextOf<{ state: CodebaseState }>(row).state.observedOrigin)?.id

/** Those of a codebase's repository; none where it has no repository or nothing was saved. */
export async function preparationsOf(codebase: ActorRow, views: Views): Promise<readonly Preparation[]> {
  const repositoryId = repositoryIdOfCodebase(codebase)
  const row = repositoryId === undefined ? undefined : await views.findByKey('repositoryPreparations', repositoryId)
  return row === undefined ? [] : await listOf(row.id, views)
}

async function listOf(id: string, views: Views): Promise<Preparation[]> {
  const [member] = await views.members(id, 'preparations', 1)
  return (member?.value ?? []) as Preparation[]
}

function shown(row: ActorRow, preparations: readonly Preparation[]): v.InferInput<typeof preparationsSchema> {
  const { revision, saved } = contextOf<{ revision: number; saved: { at: number; by: string } | null }>(row)
  return {
    repositoryId: initOf<{ repositoryId: string }>(row).repositoryId,
    revision,
    preparations: preparations.map(({ name, command }) => ({ name, command })),
    savedAt: saved && toDateTime(saved.at),
    savedBy: saved?.by ?? null,
  }
}

const touches = async (input: Which, { views }: { readonly views: Views }) => ({
  repositoryId: await repositoryIdOf(input, views),
})

const codebaseRepositoryPreparations = query({
  name: 'codebaseRepositoryPreparations',
  description: 'The commands that make a new worktree of a repository ready; none where nobody has saved any.',
  access: 'people',
  tool: {
    group: 'codebases',
    name: 'get_codebase_repository_preparations',
    title: 'Get a repository’s preparations',
    description:
      'The ordered shell commands that make a new worktree of a logical repository ready, with their revision. Name the repository ' +
      '(`github.com/acme/shop`) or one of its codebases. Change them with `save_codebase_repository_preparations`.',
    touches,
  },
  input: v.object(which),
  output: preparationsSchema,
  read: async (input, { views }) => {
    const repositoryId = await repositoryIdOf(input, views)
    const row = await views.findByKey('repositoryPreparations', repositoryId)
    if (row !== undefined) return shown(row, await listOf(row.id, views))
    const none: Preparation[] = []
    return { repositoryId, revision: 0, preparations: none, savedAt: null, savedBy: null }
  },
})

const saveCodebaseRepositoryPreparations = mutation({
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
    touches,
  },
  input: v.object({
    ...which,
    preparations: v.pipe(
      v.array(
        named(
          'CodebaseRepositoryPreparationInput',
          'One command, run by the shell in the new worktree.',
          v.object({ name: text({ min: 1, max: 100 }), command: text({ min: 1, max: 20_000 }) }),
        ),
      ),
      v.maxLength(50),
      v.description('All of them, in the order in which they are run.'),
    ),
    expectedRevision: v.pipe(
      v.nullish(v.pipe(int, v.minValue(0), v.maxValue(1_000_000_000))),
      v.description('The revision that is replaced; 0 where none was saved. Omitted: whatever it is.'),
    ),
    idempotencyKey,
  }),
  output: named(
    'SaveCodebaseRepositoryPreparationsPayload',
    'The preparations as they were saved.',
    v.object({ codebaseRepositoryPreparations: preparationsSchema }),
  ),
  translate: async ({ preparations, expectedRevision, ...input }, context) => {
    const { views, now, principal } = context
    const repositoryId = await repositoryIdOf(input, views)
    const known = await views.findByKey('repositoryPreparations', repositoryId)
    if (known === undefined && expectedRevision) throw neverSaved(expectedRevision)
    const to = { kind: 'repositoryPreparations', id: known?.id ?? context.newId('repositoryPreparations') } as const
    const create = { repositoryId, createdAt: now }
    const event = {
      type: 'save',
      preparations,
      by: principalName(principal),
      expectedRevision: expectedRevision ?? null,
    }
    return {
      messages: [
        { to, event: { type: 'create' }, create, orExisting: { uniqueKey: repositoryId } },
        (replies) => ({ to: { kind: to.kind, id: rowAt(replies).id }, event }),
      ],
      answer: async (replies) => {
        const row = rowAt(replies, 1)
        const now = replies[1]?.repeated ? await listOf(row.id, views) : preparations
        return { codebaseRepositoryPreparations: shown(row, now) }
      },
    }
  },
})

function neverSaved(expectedRevision: number): Failure {
  const problem = `They were never saved: they are at revision 0, not ${expectedRevision}.`
  return new Failure('CONFLICT', problem, { details: { field: 'expectedRevision', revision: 0 } })
}

export const repositoryPreparationOperations = [codebaseRepositoryPreparations, saveCodebaseRepositoryPreparations]
