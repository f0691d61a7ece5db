/** Uploads of dSYMs as objects of GraphQL. Their bytes arrive by the routes beside this file. */
import * as v from 'valibot'
import { dsymUploadMembers } from '../../../../machines/apps/dsymUploadKeys.ts'
import { dsymSchema } from '../../../../spec/apps/dsyms.ts'
import {
  bundlesMax,
  type DsymUploadWarning,
  deleteDsymUpload,
  dsymUpload,
  dsymUploadSchema,
  dsymUploads,
  dsymUploadWarning,
} from '../../../../spec/apps/dsymUploads.ts'
import { atMost, toDateTime } from '../../../../spec/core/types.ts'
import { requesterBy } from '../../accounts/requester.ts'
import { computedConnection } from '../../core/computedConnection.ts'
import { pageOfRows } from '../../core/connections.ts'
import { everyMember } from '../../core/members.ts'
import { oneRow } from '../../core/oneRow.ts'
import { oneMessage } from '../../core/replies.ts'
import { requireRow } from '../../core/rows.ts'
import { handle } from '../../handler.ts'
import type { Additions, GraphqlObject, ObjectType, RelationContext } from '../../objectType.ts'
import { dsymType } from '../dsyms.ts'
import { expiryOf } from './expiry.ts'
import { dsymIdsOfDuplicate } from './findIndexed.ts'

/** The upload that has indexed the zip: the object itself, or the one that it duplicates. */
const indexedBy = ({ id, duplicateOfId }: GraphqlObject): string => String(duplicateOfId ?? id)

async function dsymsOf(parent: GraphqlObject, context: RelationContext) {
  const { id, duplicateOfId } = parent
  const duplicateOf = duplicateOfId === null ? null : String(duplicateOfId)
  const ids = await dsymIdsOfDuplicate({ id: String(id), duplicateOf }, context.views)
  const rows = await context.views.getMany('dsym', ids)
  return ids.flatMap((id) => {
    const row = rows.get(id)
    return row === undefined ? [] : [dsymType.fromRow(row, context)]
  })
}

async function warningsOf(parent: GraphqlObject, { views }: RelationContext) {
  const members = await views.members(indexedBy(parent), dsymUploadMembers.warning.prefix, everyMember)
  return members.map(({ value }, number) => ({ ...(value as DsymUploadWarning), number }))
}

const dsymWords =
  'The dSYMs that were indexed, in the order of the zip. Those of a duplicate are those of the first upload.'
const warningWords = 'The parts of the zip that were not indexed.'

export const dsymUploadType: ObjectType<'dsymUpload', typeof dsymUploadSchema> = {
  name: 'DsymUpload',
  kind: 'dsymUpload',
  schema: dsymUploadSchema,
  relations: {
    dsyms: computedConnection('Dsym', dsymSchema, {
      description: dsymWords,
      positionOf: ({ id }) => id,
      load: async (parents, context) => await Promise.all(parents.map((parent) => dsymsOf(parent, context))),
    }),
    warnings: computedConnection('DsymUploadWarning', dsymUploadWarning, {
      description: warningWords,
      positionOf: ({ number }: DsymUploadWarning & { readonly number: number }) => String(number),
      load: async (parents, context) => await Promise.all(parents.map((parent) => warningsOf(parent, context))),
    }),
    duplicateOf: {
      type: 'one',
      target: 'DsymUpload',
      by: 'duplicateOfId',
      nullable: true,
      description: 'The upload that has indexed the same zip. Null also if it was removed.',
    },
    createdBy: {
      ...requesterBy('createdById'),
      description: 'The API key whose request created the upload. Null if it was removed.',
    },
  },
  fromRow: (row) => {
    const { init, context, columns } = row
    const expiresAt = expiryOf(row)
    return {
      id: row.id,
      name: init.name,
      size: init.size,
      sha256: init.sha256,
      status: columns.status as v.InferOutput<typeof dsymUploadSchema>['status'],
      offset: context.offset,
      verifiedBytes: context.verified,
      bundleCount: context.bundles,
      indexedCount: context.indexed,
      warningCount: context.warnings,
      duplicateOfId: context.duplicateOf,
      problem: context.problem,
      canBeDeleted: !columns.terminal,
      createdById: init.createdBy,
      createdAt: toDateTime(row.createdAt),
      expiresAt: expiresAt === undefined ? null : toDateTime(expiresAt),
    }
  },
}

/** The lists that tools return in addition with an upload. A zip has at most this many dSYMs. */
const details = {
  dsyms: {
    type: 'derived',
    output: atMost(bundlesMax, dsymSchema),
    nullable: false,
    description: dsymWords,
    load: async (parents, context) => await Promise.all(parents.map((parent) => dsymsOf(parent, context))),
  },
  warnings: {
    type: 'derived',
    output: v.array(dsymUploadWarning),
    nullable: false,
    description: warningWords,
    load: async (parents, context) => await Promise.all(parents.map((parent) => warningsOf(parent, context))),
  },
} as const satisfies Additions

export const dsymUploadHandlers = [
  handle(dsymUpload, ['views', 'presence'], { additions: details, read: oneRow(dsymUploadType) }),
  handle(dsymUploads, ['views', 'presence'], {
    read: async ({ statuses, ...page }, context) =>
      await pageOfRows(context.views, { kind: 'dsymUpload', ...(statuses ? { statuses } : {}) }, page, (row) =>
        dsymUploadType.fromRow(row, context),
      ),
  }),
  handle(deleteDsymUpload, ['views', 'presence'], {
    translate: async ({ dsymUploadId }, context) => {
      await requireRow(context.views, 'dsymUpload', dsymUploadId)
      return oneMessage({ to: { kind: 'dsymUpload', id: dsymUploadId }, event: { type: 'delete' } }, (row) => ({
        dsymUpload: dsymUploadType.fromRow(row, context),
      }))
    },
  }),
]
