/** The URLs of an artifact: of its bytes, and, for an iOS app, of the manifest with which a device installs it. */
import type { BuildServerUrls } from '../../../machines/builds/buildSteps.ts'
import type { TypedRow } from '../../../machines/rows.ts'
import { chosenOrigin } from '../../../spec/builds/chosenOrigin.ts'
import type { Signings } from '../../secrets/signing.ts'
import { signLink } from './downloadLinks.ts'

export function artifactUrl(urls: BuildServerUrls, id: string, link: string): string {
  return `${chosenOrigin(urls)}/api/public/build-artifacts/${id}?link=${encodeURIComponent(link)}`
}

/** iOS installs only by https. */
export function installLinks(
  { id, init }: TypedRow<'buildArtifact'>,
  urls: BuildServerUrls,
  now: number,
  signings: Signings,
) {
  const none = { manifestUrl: null, installUrl: null }
  if (!init.app) return { ...none, installProblem: null }
  const origin = chosenOrigin(urls)
  if (!origin.startsWith('https:'))
    return {
      ...none,
      installProblem: `iOS installs apps only by https, and the server URL of the build is ${origin}. Set an https origin in the server URLs, and build again.`,
    }
  const { link } = signLink('manifest', id, now, signings)
  const manifestUrl = `${origin}/api/public/build-artifacts/${id}/manifest.plist?link=${encodeURIComponent(link)}`
  const installUrl = `itms-services://?action=download-manifest&url=${encodeURIComponent(manifestUrl)}`
  return { manifestUrl, installUrl, installProblem: null }
}
