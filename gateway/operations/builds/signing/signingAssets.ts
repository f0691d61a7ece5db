import type * as v from 'valibot'
import type { TypedRow } from '../../../../machines/rows.ts'
import {
  archiveSigningAsset,
  createSigningAsset,
  renameSigningAsset,
  replaceSigningAsset,
  signingAsset,
  signingAssetSchema,
  signingAssets,
} from '../../../../spec/builds/signing/signingAssets.ts'
import { signingVariable } from '../../../../spec/builds/signing/signingEnums.ts'
import type { SigningFacts } from '../../../../spec/builds/signing/signingFacts.ts'
import type { ActorEvent } from '../../../../spec/core/actor.ts'
import { Failure } from '../../../../spec/core/failure.ts'
import { type Principal, principalName } from '../../../../spec/core/principal.ts'
import { expecting } from '../../../../spec/core/revision.ts'
import { toDateTime } from '../../../../spec/core/types.ts'
import { pageOfRows } from '../../core/connections.ts'
import { moment } from '../../core/moment.ts'
import { oneRow } from '../../core/oneRow.ts'
import { oneMessage, requireKind, rowAt } from '../../core/replies.ts'
import { requireRow } from '../../core/rows.ts'
import { handle } from '../../handler.ts'
import type { ObjectType } from '../../objectType.ts'
import type { RequestContext } from '../../requestContext.ts'
import { restrictingRun } from '../../tools/requestingRun.ts'
import type { TypedViews } from '../../typedViews.ts'
import { type ReadSigningFile, readSigningFile, type SigningInput } from './parse/readSigningFile.ts'
import { readSigningInput } from './readSigningInput.ts'
import { findUses, signingRelations } from './signingRelations.ts'
import { bindingOfAsset, printSecret } from './signingSecret.ts'

type SigningAsset = v.InferInput<typeof signingAssetSchema>

const noFacts: SigningFacts = {
  teamId: null,
  expiresAt: null,
  certificate: null,
  profile: null,
  keystore: null,
  storeKey: null,
}

function toObject(row: TypedRow<'signingAsset'>): SigningAsset {
  const { name, file, revision, updatedAt } = row.context
  const { teamId, expiresAt, certificate, profile, keystore, storeKey } = row.context.facts ?? noFacts
  return {
    id: row.id,
    name,
    variable: signingVariable(name),
    kind: row.init.kind,
    status: row.columns.status as SigningAsset['status'],
    fileName: file?.fileName ?? null,
    size: file?.size ?? null,
    teamId,
    expiresAt: moment(expiresAt),
    hasPassword: file?.hasPassword ?? false,
    certificate: certificate && {
      ...certificate,
      notBefore: toDateTime(certificate.notBefore),
      notAfter: toDateTime(certificate.notAfter),
    },
    profile: profile && {
      ...profile,
      platforms: [...profile.platforms],
      createdAt: moment(profile.createdAt),
      certificates: profile.certificates.map((one) => ({ ...one, notAfter: toDateTime(one.notAfter) })),
    },
    keystore: keystore && {
      ...keystore,
      entries: keystore.entries.map((entry) => ({ ...entry, notAfter: moment(entry.notAfter) })),
    },
    storeKey: storeKey && { ...storeKey },
    revision,
    createdById: row.init.createdBy,
    createdAt: toDateTime(row.createdAt),
    updatedAt: toDateTime(updatedAt),
  }
}

export const signingAssetType: ObjectType<'signingAsset', typeof signingAssetSchema> = {
  name: 'SigningAsset',
  kind: 'signingAsset',
  schema: signingAssetSchema,
  relations: signingRelations,
  fromRow: toObject,
}

const toPayload = (row: TypedRow<'signingAsset'>) => ({ signingAsset: toObject(row) })

/** @param ownId the asset that may have the name @throws Failure CONFLICT */
async function refuseTaken(name: string, views: TypedViews, ownId: string | undefined, creator: string): Promise<void> {
  const known = await views.findByKey('signingAsset', signingVariable(name))
  if (known === undefined || known.id === ownId) return
  // A creation that was interrupted continues when it is repeated.
  if (known.columns.status === 'EMPTY' && known.init.name === name && known.init.createdBy === creator) return
  throw new Failure(
    'CONFLICT',
    `name: the signing asset "${known.context.name}" has the same variables (SIGNALBOX_SIGNING_${signingVariable(name)}_PATH): ${known.id}. Choose another name, or archive it.`,
    { details: { field: 'name', id: known.id } },
  )
}

/** The message that stores a file, encrypted for its owner. */
function storing(
  id: string,
  { fileName, bytes, password, keyPassword }: SigningInput,
  { facts, devices, keyAlias }: ReadSigningFile,
  { secrets }: Pick<RequestContext<'secrets'>, 'secrets'>,
) {
  const secret = printSecret({ dataBase64: bytes.toString('base64'), password, keyAlias, keyPassword })
  return {
    to: { kind: 'signingAsset', id },
    event: {
      type: 'store',
      sealed: secrets.seal('signingAsset', secret, bindingOfAsset(id)),
      devices,
      file: { fileName, size: bytes.length, hasPassword: password !== null },
      facts,
    },
  } as const
}

/** @throws Failure FAILED_PRECONDITION while active configurations name the asset */
async function refuseUsed(id: string, views: TypedViews): Promise<void> {
  const uses = (await findUses([id], views)).get(id) ?? []
  if (uses.length === 0) return
  const shown = uses.slice(0, 20)
  const names = shown.map((row) => `"${row.context.name}" (${row.id})`).join(', ')
  const more = uses.length > shown.length ? ` and ${uses.length - shown.length} more` : ''
  throw new Failure(
    'FAILED_PRECONDITION',
    `The signing asset is named by the active build configurations ${names}${more}. Take it out of them or archive them, then archive it.`,
    { details: { signingAssetId: id, buildConfigurationIds: shown.map((row) => row.id) } },
  )
}

/** @throws Failure FORBIDDEN to a run, and to what acts for one */
async function refuseRun(principal: Principal, views: TypedViews): Promise<void> {
  if ((await restrictingRun(principal, views)) === undefined) return
  throw new Failure('FORBIDDEN', 'Runs cannot change signing assets. A person can, in the console or by the API.')
}

const send = (id: string, event: ActorEvent) => oneMessage({ to: { kind: 'signingAsset', id }, event }, toPayload)

export const signingAssetHandlers = [
  handle(signingAssets, ['views'], {
    read: ({ kind, statuses, ...page }, { views }) =>
      pageOfRows(
        views,
        {
          kind: 'signingAsset',
          statuses: statuses ?? ['EMPTY', 'ACTIVE'],
          ...(kind ? { marks: [[['kind', kind] as const]] } : {}),
        },
        page,
        toObject,
      ),
  }),
  handle(signingAsset, ['views', 'presence'], {
    additions: signingRelations,
    read: oneRow({ kind: 'signingAsset', fromRow: toObject }),
  }),
  handle(createSigningAsset, ['views', 'ids', 'secrets'], {
    repeat: { message: 1, answer: ({ row }) => toPayload(requireKind('signingAsset', row)) },
    translate: async ({ name, kind, ...given }, context) => {
      const { views, ids, principal, now } = context
      const createdBy = principalName(principal)
      const input = readSigningInput(given)
      await refuseTaken(name, views, undefined, createdBy)
      const read = await readSigningFile(kind, input)
      const create = { kind, name, createdBy, createdAt: now }
      return {
        messages: [
          { to: { kind: 'signingAsset', id: ids.newId('signingAsset') }, event: { type: 'create' }, create },
          // The file has a message of its own, because the values with which an actor is created are never deleted.
          (replies) => storing(rowAt('signingAsset', replies).id, input, read, context),
        ],
        answer: (replies) => toPayload(rowAt('signingAsset', replies, 1)),
      }
    },
  }),
  handle(replaceSigningAsset, ['views', 'secrets'], {
    repeat: { message: 0, answer: ({ row }) => toPayload(requireKind('signingAsset', row)) },
    translate: async ({ signingAssetId, expectedRevision, ...given }, context) => {
      const { init, columns } = await requireRow(context.views, 'signingAsset', signingAssetId)
      if (columns.terminal)
        throw new Failure(
          'FAILED_PRECONDITION',
          'The signing asset is ARCHIVED, and its bytes are destroyed. Create another one.',
          { details: { signingAssetId, state: columns.status } },
        )
      const input = readSigningInput(given)
      const { to, event } = storing(signingAssetId, input, await readSigningFile(init.kind, input), context)
      return oneMessage({ to, event: { ...event, ...expecting(expectedRevision) } }, toPayload)
    },
  }),
  handle(renameSigningAsset, ['views'], {
    translate: async ({ signingAssetId, name, expectedRevision }, { views, principal }) => {
      await refuseRun(principal, views)
      await requireRow(views, 'signingAsset', signingAssetId)
      await refuseTaken(name, views, signingAssetId, principalName(principal))
      return send(signingAssetId, { type: 'rename', name, ...expecting(expectedRevision) })
    },
  }),
  handle(archiveSigningAsset, ['views'], {
    translate: async ({ signingAssetId, expectedRevision }, { views, principal }) => {
      await refuseRun(principal, views)
      await requireRow(views, 'signingAsset', signingAssetId)
      await refuseUsed(signingAssetId, views)
      return send(signingAssetId, { type: 'archive', ...expecting(expectedRevision) })
    },
  }),
]
