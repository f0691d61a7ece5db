/** Downloads of build artifacts by a link. */
import * as v from 'valibot'
import { idOf, text } from '../core/types.ts'
import { beyondEnd, fileAnswers, fileRequestHeaders } from '../rest/fileDownload.ts'
import { type Refusal, restRoute } from '../rest/restRoute.ts'

const link = v.pipe(text({ min: 1, max: 500 }), v.description('The signature.'))

const invalidLink: Refusal = {
  code: 'FORBIDDEN',
  extras: {
    reason: v.pipe(v.literal('LINK_INVALID'), v.description('The link is for another use, or it has expired.')),
  },
}

export const artifactRoutes = {
  downloadManifest: restRoute({
    name: 'downloadManifest',
    method: 'GET',
    path: '/api/public/build-artifacts/{artifactId}/manifest.plist',
    tag: 'Build artifacts',
    summary: 'Read the manifest with which an iOS device installs an app',
    description:
      'The link is in `manifestUrl` of `buildArtifactLinks`. The manifest names the app and a URL of the file that is valid for an hour. An artifact that is no app is `404 NOT_FOUND`.',
    access: 'public',
    params: v.object({ artifactId: idOf('buildArtifact') }),
    query: v.strictObject({ link }),
    queryRefusal: 'BAD_USER_INPUT',
    answers: { 200: { description: 'The manifest, as an XML property list.', mediaTypes: ['text/xml'] } },
    refusals: [invalidLink, 'NOT_FOUND'],
  }),
  openInstallPage: restRoute({
    name: 'openInstallPage',
    method: 'GET',
    path: '/api/public/build-artifacts/{artifactId}/install',
    tag: 'Build artifacts',
    summary: 'Open the page that installs an app on a phone',
    description:
      'The link is `installPageUrl` of `buildArtifactLinks`. The page has the name and the version of the app, and a button that installs it (iOS) or downloads it (Android). An artifact that cannot be installed is `404 NOT_FOUND`.',
    access: 'public',
    params: v.object({ artifactId: idOf('buildArtifact') }),
    query: v.strictObject({ link }),
    queryRefusal: 'BAD_USER_INPUT',
    answers: { 200: { description: 'The page.', mediaTypes: ['text/html'] } },
    refusals: [invalidLink, 'NOT_FOUND'],
  }),
  downloadArtifact: restRoute({
    name: 'downloadArtifact',
    method: 'GET',
    path: '/api/public/build-artifacts/{artifactId}',
    tag: 'Build artifacts',
    summary: 'Download a build artifact by a link',
    description:
      'The link, `buildArtifactLinks`, contains a signature over the artifact and the time until which it is valid. Any other signature is refused with `403 FORBIDDEN`. A link to an artifact that was deleted, or has expired, is `404 NOT_FOUND`.',
    access: 'public',
    params: v.object({ artifactId: idOf('buildArtifact') }),
    query: v.strictObject({ link }),
    queryRefusal: 'BAD_USER_INPUT',
    requestHeaders: fileRequestHeaders,
    answers: fileAnswers(),
    refusals: [invalidLink, 'NOT_FOUND', beyondEnd],
  }),
} as const
