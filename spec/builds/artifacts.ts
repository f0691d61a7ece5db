/** The files that a build keeps. */
import * as v from 'valibot'
import { jobAttempt } from '../agents/jobs.ts'
import { connectionOf, orderByOf, pageArguments } from '../core/connections.ts'
import { oneById } from '../core/oneById.ts'
import { mutation, query } from '../core/operation.ts'
import { problem } from '../core/problem.ts'
import { atMost, dateTime, id, idOf, named, text } from '../core/types.ts'
import { uploadStatus } from './uploads.ts'

/** The maximum number of artifacts of one build. */
export const artifactsMax = 1_000
/** A link is valid for this time, ms. Source: contract, section 5. */
export const linkMs = 15 * 60_000
/** The link to the file in a manifest is valid for this time, ms. Source: contract, section 5. */
export const manifestFileMs = 60 * 60_000

/** The path of a file in its checkout. */
export const artifactPath = v.pipe(
  text({ min: 1, max: 1_000 }),
  v.check(
    (path) => !path.split('/').some((name) => name === '' || name === '.' || name === '..'),
    'must be a path below the checkout',
  ),
)

export const artifactStatus = named(
  'BuildArtifactStatus',
  'The status of an artifact. UPLOADING: its bytes are on their way. STORED: it is kept until it expires. PINNED: it is kept until a person unpins it. EXPIRED, DELETED and FAILED are final, and their bytes are deleted.',
  v.picklist(['UPLOADING', 'STORED', 'PINNED', 'EXPIRED', 'DELETED', 'FAILED']),
)

const appFields = (description: string) => ({
  bundleIdentifier: v.pipe(
    text({ min: 1, max: 200 }),
    v.regex(/^[A-Za-z0-9.-]+$/, 'must be a bundle identifier such as com.example.shop'),
  ),
  version: text({ min: 1, max: 200 }),
  build: v.pipe(v.nullable(text({ min: 1, max: 200 })), v.description(description)),
  title: v.pipe(text({ min: 1, max: 200 }), v.description('The name for people.')),
})

const app = named(
  'BuildArtifactApp',
  'The iOS app in an .ipa file, as its Info.plist names it.',
  v.object(appFields('The build number. Null if it has none.')),
)

export const buildArtifactSchema = named(
  'BuildArtifact',
  'A file that a build keeps.',
  v.object({
    id,
    buildId: id,
    path: v.pipe(v.string(), v.description('The path of the file in the checkout.')),
    name: v.pipe(v.string(), v.description('The last component of the path.')),
    contentType: v.string(),
    /** GraphQL's Int ends at 2 GiB. */
    size: v.pipe(v.number(), v.metadata({ scalar: 'Float' } as const), v.description('Bytes.')),
    sha256: v.string(),
    app: v.pipe(v.nullable(app), v.description('Null unless it is an .ipa file whose Info.plist could be read.')),
    status: artifactStatus,
    problem: v.nullable(problem),
    createdAt: dateTime,
    expiresAt: v.pipe(
      v.nullable(dateTime),
      v.description('The time at which the bytes are deleted. Null unless the status is STORED.'),
    ),
  }),
)

export const buildArtifact = query({
  ...oneById('buildArtifact', buildArtifactSchema),
  tool: {
    group: 'builds',
    name: 'get_build_artifact',
    title: 'Get a build artifact',
    description:
      'Returns one file that a build keeps: path, size, SHA-256 and status. `build_artifact_links` returns URLs.',
  },
})

export const buildArtifacts = query({
  name: 'buildArtifacts',
  description: 'The files that a build keeps, newest first.',
  access: 'people',
  tool: {
    group: 'builds',
    name: 'get_build_artifacts',
    title: 'List build artifacts',
    description:
      'Lists the files that a build keeps: path, size, SHA-256 and status. `build_artifact_links` returns URLs of those that are stored.',
  },
  input: v.object({
    ...pageArguments,
    orderBy: orderByOf('BuildArtifact', ['CREATED_AT']),
    buildId: idOf('build'),
  }),
  output: connectionOf('BuildArtifact', buildArtifactSchema),
})

export const buildArtifactLinks = query({
  name: 'buildArtifactLinks',
  description:
    'Returns a URL for each stored artifact of a build, by the server URL of the build’s kind. Anyone with the URL can download the file for 15 minutes, without a credential.',
  access: 'people',
  cost: 20,
  tool: {
    group: 'builds',
    name: 'build_artifact_links',
    title: 'Get links to build artifacts',
    description:
      'Returns a URL for each stored artifact of a build. Anyone with the URL can download the file for 15 minutes, without a credential: give it only to those who may have the file.',
  },
  input: v.object({ buildId: idOf('build') }),
  output: atMost(
    artifactsMax,
    named(
      'BuildArtifactLink',
      'A URL of an artifact.',
      v.object({
        artifactId: id,
        path: v.string(),
        downloadUrl: v.string(),
        manifestUrl: v.pipe(
          v.nullable(v.string()),
          v.description(
            'The URL of the manifest with which an iOS device installs the app. Null unless the artifact is an app and the URL is https.',
          ),
        ),
        installUrl: v.pipe(
          v.nullable(v.string()),
          v.description('The `itms-services` URL that a person opens on the device. Null without a manifest.'),
        ),
        installPageUrl: v.pipe(
          v.nullable(v.string()),
          v.description(
            'The URL of a page that installs the app on a phone, for example by a QR code. Null unless the artifact is an Android app (.apk) or has a manifest.',
          ),
        ),
        installProblem: v.pipe(
          v.nullable(v.string()),
          v.description('The reason, as a sentence, why an app has no manifest. Null if it has one, or is no app.'),
        ),
        expiresAt: v.pipe(dateTime, v.description('The time until which the URL is valid.')),
      }),
    ),
  ),
})

export const createBuildArtifact = mutation({
  name: 'createBuildArtifact',
  description:
    'Announces a file of a build, and returns the URL to which its bytes are sent. A repeat for the same path returns the same artifact. The same path with another size or SHA-256 is refused.',
  access: 'agents',
  input: v.object({
    ...jobAttempt,
    path: artifactPath,
    size: v.pipe(v.number(), v.safeInteger(), v.minValue(0), v.metadata({ scalar: 'Float' } as const)),
    sha256: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/, 'must be a SHA-256, hexadecimal')),
    contentType: v.pipe(
      text({ min: 3, max: 255 }),
      v.regex(/^[a-z0-9!#$&^_.+-]+\/[a-z0-9!#$&^_.+-]+$/, 'must be a media type such as application/zip'),
    ),
    app: v.pipe(
      v.nullish(
        named('BuildArtifactAppInput', 'The iOS app in an .ipa file.', v.object(appFields('The build number.'))),
      ),
      v.description('Only for an .ipa file.'),
    ),
  }),
  output: named(
    'CreateBuildArtifactPayload',
    'The artifact, and the address of its bytes.',
    v.object({
      artifactId: id,
      uploadUrl: v.pipe(v.string(), v.description('The URL of the upload.')),
      uploadStatus: v.nullable(uploadStatus),
    }),
  ),
})

const payload = (typeName: string) =>
  named(typeName, 'The artifact after the change.', v.object({ buildArtifact: buildArtifactSchema }))
const reference = v.object({ buildArtifactId: idOf('buildArtifact') })

export const pinBuildArtifact = mutation({
  name: 'pinBuildArtifact',
  description: 'Keeps an artifact until it is unpinned: it does not expire.',
  access: 'people',
  tool: {
    group: 'builds',
    title: 'Pin a build artifact',
    description: 'Keeps an artifact until `unpin_build_artifact`: it does not expire.',
    idempotent: true,
  },
  input: reference,
  output: payload('PinBuildArtifactPayload'),
})

export const unpinBuildArtifact = mutation({
  name: 'unpinBuildArtifact',
  description: 'Lets a pinned artifact expire. Its retention begins now.',
  access: 'people',
  tool: {
    group: 'builds',
    title: 'Unpin a build artifact',
    description: 'Lets a pinned artifact expire again. Its retention begins now.',
    idempotent: true,
  },
  input: reference,
  output: payload('UnpinBuildArtifactPayload'),
})

export const deleteBuildArtifact = mutation({
  name: 'deleteBuildArtifact',
  description: 'Deletes an artifact and its bytes. Its links stop working at once.',
  access: 'people',
  tool: {
    group: 'builds',
    title: 'Delete a build artifact',
    description: 'Deletes a file that a build keeps. It cannot be restored.',
    destroys: true,
    idempotent: true,
  },
  input: reference,
  output: payload('DeleteBuildArtifactPayload'),
})
