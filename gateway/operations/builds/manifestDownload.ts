/** The route of the manifest with which an iOS device installs an app. */
import { build as printPlist } from 'plist'
import { artifactRoutes } from '../../../spec/builds/artifactRoutes.ts'
import { manifestFileMs } from '../../../spec/builds/artifacts.ts'
import type { GatewayOptions } from '../../options.ts'
import { notFound, requireRow } from '../core/rows.ts'
import { type ServedRoute, serve } from '../restHandler.ts'
import { isKept } from './artifacts.ts'
import { requireLink, signLink } from './downloadLinks.ts'
import { artifactUrl } from './installLinks.ts'

export function serveManifest({ views, signings }: Pick<GatewayOptions, 'views' | 'signings'>): readonly ServedRoute[] {
  return [
    serve(artifactRoutes.downloadManifest, async ({ request, params: { artifactId }, query }) => {
      const now = request.receivedAt
      requireLink('manifest', artifactId, query.link, now, signings)
      const row = await views.get('buildArtifact', artifactId)
      const app = row?.init.app
      if (row === undefined || !isKept(row) || !app) throw notFound('buildArtifact', artifactId)
      const { serverUrls } = (await requireRow(views, 'build', row.init.buildId)).init
      // The device reads the file after its user has agreed.
      const { link } = signLink('artifact', artifactId, now, signings, manifestFileMs)
      const { bundleIdentifier, version, title } = app
      const manifest = {
        items: [
          {
            assets: [{ kind: 'software-package', url: artifactUrl(serverUrls, artifactId, link) }],
            metadata: { 'bundle-identifier': bundleIdentifier, 'bundle-version': version, kind: 'software', title },
          },
        ],
      }
      return {
        status: 200,
        headers: {
          'content-type': 'text/xml; charset=utf-8',
          'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
          'cache-control': 'no-store',
        },
        body: printPlist(manifest),
      }
    }),
  ]
}
