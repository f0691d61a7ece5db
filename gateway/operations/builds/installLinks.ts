/** The URLs of an artifact: of its bytes, and, for an app, of the page and the manifest with which a device installs it. */
import type { BuildServerUrls } from '../../../machines/builds/buildActions.ts'
import type { TypedRow } from '../../../machines/rows.ts'
import { chosenOrigin } from '../../../spec/builds/chosenOrigin.ts'
import type { Signings } from '../../secrets/signing.ts'
import { signLink } from './downloadLinks.ts'

type Artifact = TypedRow<'buildArtifact'>

const pathOf = (id: string, rest: string, link: string): string =>
  `/api/public/build-artifacts/${id}${rest}?link=${encodeURIComponent(link)}`

export function artifactUrl(urls: BuildServerUrls, id: string, link: string): string {
  return `${chosenOrigin(urls)}${pathOf(id, '', link)}`
}

export const isAndroidApp = ({ init }: Artifact): boolean => init.path.endsWith('.apk')

/** iOS installs only by https. */
function manifestProblem({ init }: Artifact, origin: string): string | null {
  if (!init.app || origin.startsWith('https:')) return null
  return `iOS installs apps only by https, and the server URL of the build is ${origin}. Set an https origin in the server URLs, and build again.`
}

/** The `itms-services` URL, and the URL of the manifest in it. Both are null if the artifact is no iOS app, or iOS could not install it. */
export function manifestLinks(artifact: Artifact, urls: BuildServerUrls, now: number, signings: Signings) {
  const { id, init } = artifact
  const origin = chosenOrigin(urls)
  if (!init.app || manifestProblem(artifact, origin) !== null) return { manifestUrl: null, installUrl: null }
  const manifestUrl = `${origin}${pathOf(id, '/manifest.plist', signLink('manifest', id, now, signings).link)}`
  return { manifestUrl, installUrl: `itms-services://?action=download-manifest&url=${encodeURIComponent(manifestUrl)}` }
}

export function installLinks(artifact: Artifact, urls: BuildServerUrls, now: number, signings: Signings) {
  const origin = chosenOrigin(urls)
  const links = manifestLinks(artifact, urls, now, signings)
  const page = () => `${origin}${pathOf(artifact.id, '/install', signLink('page', artifact.id, now, signings).link)}`
  return {
    ...links,
    installPageUrl: links.installUrl !== null || isAndroidApp(artifact) ? page() : null,
    installProblem: manifestProblem(artifact, origin),
  }
}
