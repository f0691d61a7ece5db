import type * as v from 'valibot'
import { buildArtifactKey } from '../../../machines/builds/buildArtifactKeys.ts'
import type { TypedRow } from '../../../machines/rows.ts'
import {
  artifactsMax,
  buildArtifact,
  buildArtifactLinks,
  buildArtifactSchema,
  buildArtifacts,
  createBuildArtifact,
  deleteBuildArtifact,
  pinBuildArtifact,
  unpinBuildArtifact,
} from '../../../spec/builds/artifacts.ts'
import { Failure } from '../../../spec/core/failure.ts'
import { siblingId } from '../../../spec/core/ids.ts'
import { toDateTime } from '../../../spec/core/types.ts'
import type { Envelope } from '../../messages.ts'
import { ownJob } from '../agents/jobs.ts'
import { pageOfRows } from '../core/connections.ts'
import { everyRow } from '../core/everyRow.ts'
import { oneRow } from '../core/oneRow.ts'
import { oneMessage, rowAt } from '../core/replies.ts'
import { requireRow } from '../core/rows.ts'
import { handle } from '../handler.ts'
import type { ObjectType } from '../objectType.ts'
import type { RequestContext } from '../requestContext.ts'
import type { TypedViews } from '../typedViews.ts'
import { signLink } from './downloadLinks.ts'
import { artifactUrl, installLinks } from './installLinks.ts'

type ArtifactObject = v.InferInput<typeof buildArtifactSchema>

export function artifactObject(row: TypedRow<'buildArtifact'>): ArtifactObject {
  const { init, context, columns } = row
  return {
    id: row.id,
    buildId: init.buildId,
    path: init.path,
    name: nameOf(init.path),
    contentType: init.contentType,
    size: init.size,
    sha256: init.sha256,
    app: init.app ?? null,
    status: columns.status as ArtifactObject['status'],
    problem: context.problem,
    createdAt: toDateTime(row.createdAt),
    expiresAt: context.expiresAt === null ? null : toDateTime(context.expiresAt),
  }
}

export const nameOf = (path: string): string => path.split('/').at(-1) ?? path

export const artifactType: ObjectType<'buildArtifact', typeof buildArtifactSchema> = {
  name: 'BuildArtifact',
  kind: 'buildArtifact',
  schema: buildArtifactSchema,
  relations: {
    build: {
      type: 'one',
      target: 'Build',
      by: 'buildId',
      nullable: true,
      description: 'The build that keeps the file.',
    },
  },
  fromRow: artifactObject,
}

const keptStatuses = ['STORED', 'PINNED']

/** The artifacts of a build whose bytes can be downloaded. */
const keptOf = (buildId: string) => ({
  kind: 'buildArtifact' as const,
  where: { scopeId: buildId },
  statuses: keptStatuses,
})

/** Whether its bytes can be downloaded. */
export function isKept({ columns }: TypedRow<'buildArtifact'>): boolean {
  return keptStatuses.includes(columns.status)
}

/** A run may change what it, or a run that it has started, has built. */
async function touchOwn(
  { buildArtifactId }: { readonly buildArtifactId: string },
  { views }: { readonly views: TypedViews },
) {
  const { buildId } = (await requireRow(views, 'buildArtifact', buildArtifactId)).init
  const { repositoryId, requestedBy } = (await requireRow(views, 'build', buildId)).init
  return { repositoryId, requesters: [requestedBy] }
}

const change = (type: 'pin' | 'unpin' | 'delete') => ({
  touches: touchOwn,
  translate: async ({ buildArtifactId }: { readonly buildArtifactId: string }, { views }: RequestContext<'views'>) => {
    await requireRow(views, 'buildArtifact', buildArtifactId)
    return oneMessage({ to: { kind: 'buildArtifact', id: buildArtifactId }, event: { type } }, (row) => ({
      buildArtifact: artifactObject(row),
    }))
  },
})

export const artifactHandlers = [
  handle(buildArtifact, ['views', 'presence'], { read: oneRow({ kind: 'buildArtifact', fromRow: artifactObject }) }),
  handle(buildArtifacts, ['views'], {
    read: async ({ buildId, ...page }, { views }) => {
      await requireRow(views, 'build', buildId)
      return await pageOfRows(views, { kind: 'buildArtifact', where: { scopeId: buildId } }, page, artifactObject)
    },
  }),
  handle(buildArtifactLinks, ['views', 'signings'], {
    touches: async ({ buildId }, { views }) => ({
      repositoryId: (await requireRow(views, 'build', buildId)).init.repositoryId,
    }),
    listCounts: async ({ buildId }, { views }) => ({ items: await views.count(keptOf(buildId)) }),
    read: async ({ buildId }, { views, signings, now }) => {
      const { serverUrls } = (await requireRow(views, 'build', buildId)).init
      const rows = await everyRow(views, keptOf(buildId))
      return rows.map((row) => {
        const { id, init } = row
        const { link, expiresAt } = signLink('artifact', id, now, signings)
        return {
          artifactId: id,
          path: init.path,
          downloadUrl: artifactUrl(serverUrls, id, link),
          ...installLinks(row, serverUrls, now, signings),
          expiresAt: toDateTime(expiresAt),
        }
      })
    },
  }),
  handle(createBuildArtifact, ['actors', 'presence', 'views', 'ids', 'limits'], {
    translate: async ({ epoch, jobId, attempt, path, size, sha256, contentType, app }, context) => {
      const { views, limits, ids, now, baseUrl } = context
      const job = await ownJob({ jobId, epoch }, context)
      const { owner, agentId } = job.init
      if (owner.kind !== 'build' || job.columns.terminal || job.context.attempt !== attempt)
        throw new Failure('FAILED_PRECONDITION', 'The job is no build that executes.', { details: { jobId } })
      if (size > limits.uploadBytes)
        throw new Failure('PAYLOAD_TOO_LARGE', `An artifact may have at most ${limits.uploadBytes} bytes.`, {
          details: { field: 'size', limit: limits.uploadBytes },
        })
      const uniqueKey = buildArtifactKey(owner.id, path)
      const [build, known] = await Promise.all([
        requireRow(views, 'build', owner.id),
        views.findByKey('buildArtifact', uniqueKey),
      ])
      if (known === undefined) await requireRoomForOne(owner.id, views)
      const { artifactRetentionDays } = build.init.content
      const create = {
        ...{ buildId: owner.id, agentId, path, contentType, size, sha256, app: app ?? null },
        ...{ retentionDays: artifactRetentionDays, createdAt: now },
      }
      return {
        messages: [
          {
            to: { kind: 'buildArtifact', id: ids.newId('buildArtifact') },
            event: { type: 'create' },
            create,
            orExisting: { uniqueKey },
          },
          (replies) => createUpload(rowAt('buildArtifact', replies)),
        ],
        answer: (replies) => {
          const row = rowAt('buildArtifact', replies)
          if (row.init.sha256 !== sha256 || row.init.size !== size)
            throw new Failure('CONFLICT', `path: the build already has another file ${path}.`, {
              details: { field: 'path', id: row.id },
            })
          const uploadId = siblingId('upload', row.id)
          return {
            artifactId: row.id,
            uploadUrl: `${baseUrl}/api/build-artifact-uploads/${uploadId}`,
            uploadStatus: isKept(row) ? ('READY' as const) : null,
          }
        },
      }
    },
  }),
  handle(pinBuildArtifact, ['views'], change('pin')),
  handle(unpinBuildArtifact, ['views'], change('unpin')),
  handle(deleteBuildArtifact, ['views'], change('delete')),
]

/** The message that creates the upload of an artifact, unless it exists. */
function createUpload({ id: artifactId, init }: TypedRow<'buildArtifact'>): Envelope {
  const { path, contentType, size, sha256, agentId, createdAt } = init
  const id = siblingId('upload', artifactId)
  const create = {
    ...{ purpose: 'ARTIFACT', owner: { kind: 'buildArtifact', id: artifactId }, name: nameOf(path) },
    ...{ contentType, size, sha256, agentId, createdBy: agentId, createdAt },
  }
  return { to: { kind: 'upload', id }, event: { type: 'create' }, create, orExisting: { uniqueKey: id } }
}

/** @throws Failure FAILED_PRECONDITION */
async function requireRoomForOne(buildId: string, views: TypedViews): Promise<void> {
  const count = await views.count({ kind: 'buildArtifact', where: { scopeId: buildId } })
  if (count < artifactsMax) return
  throw new Failure(
    'FAILED_PRECONDITION',
    `A build keeps at most ${artifactsMax} files. Use patterns that match fewer, or pack them into an archive.`,
    { details: { limit: artifactsMax } },
  )
}
