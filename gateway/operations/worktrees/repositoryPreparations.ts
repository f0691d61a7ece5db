import type * as v from 'valibot'
import type { TypedRow } from '../../../machines/rows.ts'
import { Failure } from '../../../spec/core/failure.ts'
import { principalName } from '../../../spec/core/principal.ts'
import { toDateTime } from '../../../spec/core/types.ts'
import { repositoryOf } from '../../../spec/worktrees/repository.ts'
import {
  codebaseRepositoryPreparations,
  type preparationsSchema,
  saveCodebaseRepositoryPreparations,
} from '../../../spec/worktrees/repositoryPreparations.ts'
import { rowAt } from '../core/replies.ts'
import { requireRow } from '../core/rows.ts'
import { handle } from '../handler.ts'
import type { TypedViews } from '../typedViews.ts'

export interface Preparation {
  readonly name: string
  readonly command: string
}

interface Which {
  readonly repositoryId?: string | null | undefined
  readonly codebaseId?: string | null | undefined
}

/** @throws Failure BAD_USER_INPUT, NOT_FOUND, FAILED_PRECONDITION */
async function repositoryIdOf({ repositoryId, codebaseId }: Which, views: TypedViews): Promise<string> {
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

const repositoryIdOfCodebase = (row: TypedRow<'codebase'>): string | undefined =>
  repositoryOf(row.context.state.observedOrigin)?.id

/** Those of a codebase's repository; none where it has no repository or nothing was saved. */
export async function preparationsOf(
  codebase: TypedRow<'codebase'>,
  views: TypedViews,
): Promise<readonly Preparation[]> {
  const repositoryId = repositoryIdOfCodebase(codebase)
  const row = repositoryId === undefined ? undefined : await views.findByKey('repositoryPreparations', repositoryId)
  return row === undefined ? [] : await listOf(row.id, views)
}

async function listOf(id: string, views: TypedViews): Promise<Preparation[]> {
  const [member] = await views.members(id, 'preparations', 1)
  return (member?.value ?? []) as Preparation[]
}

function shown(
  row: TypedRow<'repositoryPreparations'>,
  preparations: readonly Preparation[],
): v.InferInput<typeof preparationsSchema> {
  const { revision, saved } = row.context
  return {
    repositoryId: row.init.repositoryId,
    revision,
    preparations: preparations.map(({ name, command }) => ({ name, command })),
    savedAt: saved && toDateTime(saved.at),
    savedBy: saved?.by ?? null,
  }
}

const touches = async (input: Which, { views }: { readonly views: TypedViews }) => ({
  repositoryId: await repositoryIdOf(input, views),
})

function neverSaved(expectedRevision: number): Failure {
  const problem = `They were never saved: they are at revision 0, not ${expectedRevision}.`
  return new Failure('CONFLICT', problem, { details: { field: 'expectedRevision', revision: 0 } })
}

export const repositoryPreparationHandlers = [
  handle(codebaseRepositoryPreparations, {
    touches,
    read: async (input, { views }) => {
      const repositoryId = await repositoryIdOf(input, views)
      const row = await views.findByKey('repositoryPreparations', repositoryId)
      if (row !== undefined) return shown(row, await listOf(row.id, views))
      const none: Preparation[] = []
      return { repositoryId, revision: 0, preparations: none, savedAt: null, savedBy: null }
    },
  }),
  handle(saveCodebaseRepositoryPreparations, {
    touches,
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
          (replies) => ({ to: { kind: to.kind, id: rowAt('repositoryPreparations', replies).id }, event }),
        ],
        answer: async (replies) => {
          const row = rowAt('repositoryPreparations', replies, 1)
          const now = replies[1]?.repeated ? await listOf(row.id, views) : preparations
          return { codebaseRepositoryPreparations: shown(row, now) }
        },
      }
    },
  }),
]
