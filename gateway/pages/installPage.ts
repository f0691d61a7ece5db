/** The page on which a person installs an app on the phone. */
import { artifactRoutes } from '../../spec/builds/artifactRoutes.ts'
import { browsersOwn } from '../http/pageSetting.ts'
import { isKept } from '../operations/builds/artifacts.ts'
import { requireLink, signLink } from '../operations/builds/downloadLinks.ts'
import { artifactUrl, isAndroidApp, manifestLinks } from '../operations/builds/installLinks.ts'
import { notFound, requireRow } from '../operations/core/rows.ts'
import { type ServedRoute, serve } from '../operations/restHandler.ts'
import type { GatewayOptions } from '../options.ts'
import { pageAnswer } from './pageAnswer.ts'

type Parts = Pick<GatewayOptions, 'views' | 'signings' | 'site'>

/** Its links are signed when it is opened. */
export function serveInstallPage({ views, signings, site }: Parts): readonly ServedRoute[] {
  return [
    serve(artifactRoutes.openInstallPage, async ({ request, params: { artifactId }, query }) => {
      const now = request.receivedAt
      requireLink('page', artifactId, query.link, now, signings)
      const row = await views.get('buildArtifact', artifactId)
      if (row === undefined || !isKept(row)) throw notFound('buildArtifact', artifactId)
      const { serverUrls, content, number } = (await requireRow(views, 'build', row.init.buildId)).init
      const download = () => artifactUrl(serverUrls, artifactId, signLink('artifact', artifactId, now, signings).link)
      const href = isAndroidApp(row) ? download() : manifestLinks(row, serverUrls, now, signings).installUrl
      if (href === null || site === undefined) throw notFound('buildArtifact', artifactId)
      const setting = browsersOwn(request)
      const { path, size, app } = row.init
      const body = site.render({
        ...setting,
        page: 'install',
        platform: isAndroidApp(row) ? 'ANDROID' : 'IOS',
        title: app?.title ?? path.slice(path.lastIndexOf('/') + 1),
        version: app?.version ?? null,
        build: `${content.name} #${number}`,
        size,
        href,
      })
      return pageAnswer(200, body, setting)
    }),
  ]
}
