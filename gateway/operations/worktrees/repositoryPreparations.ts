import type * as v from 'valibot'
import type { TypedRow } from '../../../machines/rows.ts'
import { repositoryMembers } from '../../../machines/worktrees/repositoryKeys.ts'
import { Failure } from '../../../spec/core/failure.ts'
import { principalName } from '../../../spec/core/principal.ts'
import { expecting, revisionConflict } from '../../../spec/core/revision.ts'
import { toDateTime } from '../../../spec/core/types.ts'
import {
  codebaseRepositoryPreparations,
  preparationsSchema,
  type RepositoryRef,
  saveCodebaseRepositoryPreparations,
} from '../../../spec/worktrees/repositoryPreparations.ts'
import { requesterBy } from '../accounts/requester.ts'
import { rowAt } from '../core/replies.ts'
import { notFound, requireRow } from '../core/rows.ts'
import { handle } from '../handler.ts'
import type { PartType } from '../objectType.ts'
import type { TypedViews } from '../typedViews.ts'
import { createRepository } from './repositoryCreation.ts'
import { repositoryId } from './repositoryId.ts'

type Preparation = { readonly name: string; readonly command: string }
type Preparations = v.InferInput<typeof preparationsSchema>

/** Does not check whether the repository exists. @throws Failure NOT_FOUND, FAILED_PRECONDITION */
async function resolve(ref: RepositoryRef, views: TypedViews): Promise<string> {
  if (ref.repositoryId !== undefined) return ref.repositoryId
  if (ref.name !== undefined) return await repositoryId(ref.name)
  const row = await requireRow(views, 'codebase', ref.codebaseId)
  if (row.context.repositoryId !== null) return row.context.repositoryId
  throw new Failure(
    'FAILED_PRECONDITION',
    'The codebase has no remote that names a repository. Give the repository by its name or ID.',
    {
      details: { codebaseId: row.id },
    },
  )
}

/** A repository that is given by its name may not exist yet. It then has no preparations. @throws Failure NOT_FOUND */
async function find(ref: RepositoryRef, views: TypedViews) {
  const id = await resolve(ref, views)
  const row = await views.get('repository', id)
  if (row === undefined && ref.name === undefined) throw notFound('repository', id)
  return { id, row }
}

/** @returns none if no repository has the ID */
export async function listPreparations(repositoryId: string, views: TypedViews): Promise<Preparation[]> {
  const [member] = await views.members(repositoryId, repositoryMembers.preparations, 1)
  return (member?.value ?? []) as Preparation[]
}

export async function readPreparations(
  repositoryId: string,
  row: TypedRow<'repository'> | undefined,
  views: TypedViews,
): Promise<Preparations> {
  if (row !== undefined) return preparationsFrom(row, await listPreparations(repositoryId, views))
  return { repositoryId, revision: 0, preparations: [], savedAt: null, savedById: null }
}

function preparationsFrom(row: TypedRow<'repository'>, preparations: readonly Preparation[]): Preparations {
  const { revision, saved } = row.context
  return {
    repositoryId: row.id,
    revision,
    preparations: preparations.map(({ name, command }) => ({ name, command })),
    savedAt: saved && toDateTime(saved.at),
    savedById: saved?.by ?? null,
  }
}

const touches = async (
  { repository }: { readonly repository: RepositoryRef },
  { views }: { readonly views: TypedViews },
) => ({ repositoryId: await resolve(repository, views) })

export const preparationsType: PartType = {
  name: 'CodebaseRepositoryPreparations',
  schema: preparationsSchema,
  relations: {
    savedBy: {
      ...requesterBy('savedById'),
      description:
        'The user, API key or run that last saved the preparations. Null if they were never saved, or if the user was removed.',
    },
  },
}

export const repositoryPreparationHandlers = [
  handle(codebaseRepositoryPreparations, ['views'], {
    touches,
    read: async ({ repository }, { views }) => {
      const { id, row } = await find(repository, views)
      return await readPreparations(id, row, views)
    },
  }),
  handle(saveCodebaseRepositoryPreparations, ['views'], {
    touches,
    translate: async ({ repository, preparations, expectedRevision }, { views, now, principal }) => {
      const { id, row: known } = await find(repository, views)
      if (known === undefined && expectedRevision) throw revisionConflict('The preparations are', 0, expectedRevision)
      const event = {
        type: 'savePreparations',
        preparations,
        by: principalName(principal),
        ...expecting(expectedRevision),
      }
      return {
        messages: [
          known === undefined && repository.name !== undefined ? createRepository(id, repository.name, now) : undefined,
          { to: { kind: 'repository', id }, event },
        ],
        answer: async (replies) => {
          const row = rowAt('repository', replies, 1)
          const saved = replies[1]?.repeated ? await listPreparations(id, views) : preparations
          return { codebaseRepositoryPreparations: preparationsFrom(row, saved) }
        },
      }
    },
  }),
]
