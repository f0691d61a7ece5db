/** The route by which anyone with a link downloads an artifact. */
import { artifactRoutes } from '../../../spec/builds/artifactRoutes.ts'
import { uploadBlob } from '../../../spec/builds/uploads.ts'
import { siblingId } from '../../../spec/core/ids.ts'
import type { GatewayOptions } from '../../options.ts'
import { sendBlob } from '../core/files/sendBlob.ts'
import { notFound } from '../core/rows.ts'
import { type ServedRoute, serve } from '../restHandler.ts'
import { isKept, nameOf } from './artifacts.ts'
import { requireLink } from './downloadLinks.ts'

export function serveArtifactDownload({
  views,
  blobs,
  signings,
}: Pick<GatewayOptions, 'views' | 'blobs' | 'signings'>): readonly ServedRoute[] {
  return [
    serve(artifactRoutes.downloadArtifact, async ({ request, params: { artifactId }, query }) => {
      requireLink('artifact', artifactId, query.link, request.receivedAt, signings)
      const row = await views.get('buildArtifact', artifactId)
      if (row === undefined || !isKept(row)) throw notFound('buildArtifact', artifactId)
      const { path, contentType, size, sha256 } = row.init
      const file = { name: nameOf(path), contentType, size, sha256, blob: uploadBlob(siblingId('upload', artifactId)) }
      return (await sendBlob(file, request, blobs)) ?? Promise.reject(notFound('buildArtifact', artifactId))
    }),
  ]
}
