/** Images of a worktree before and after a change, and the difference. */
import * as v from 'valibot'
import { epoch } from '../agents/agentSession.ts'
import { id, idOf, int, text } from '../core/types.ts'
import { badInput } from '../rest/refusals.ts'
import { type Refusal, type RestAnswer, restRoute } from '../rest/restRoute.ts'
import { diffImageSides, diffImageViews } from './diffImages.ts'

/** A path in a worktree, with slashes. */
const filePath = v.pipe(
  text({ min: 1, max: 4_096 }),
  v.regex(
    /^(?!\/)(?!(?:[\s\S]*\/)?\.{1,2}(?:\/|$))(?!(?:[\s\S]*\/)?\.[Gg][Ii][Tt](?:\/|$))(?!(?:[\s\S]*\/)?(?:\/|$))[^\0\\]+$/,
    'must be the path of a file in the worktree, such as "assets/logo.png": without a slash at its beginning, without ".." and backslashes, and outside of .git',
  ),
)

const commit = v.pipe(text({ min: 1, max: 250 }), v.regex(/^(?!-)[^\0\r\n]+$/, 'must be a commit, a branch or a tag'))

const headers = {
  ETag: 'Changes when the image changes.',
  'Content-Security-Policy': 'The image cannot execute or load anything.',
}

const image: RestAnswer = {
  description:
    'The image. `before` and `after` are the bytes of the file. `side` and `difference` are PNG. `X-Before-Size` and `X-After-Size` have the width ' +
    'and the height of the sides that the view shows: `640x480`. `X-Missing-Side: before` means that the file was added, and `after` that it was ' +
    'deleted. `X-Animated` names the sides that are animations: they are compared by their first frames. `X-Changed-Pixels` is the number of ' +
    'pixels that differ, only with `view=difference`.',
  mediaTypes: ['image/png', 'image/jpeg', 'image/gif', 'image/webp'],
  headers: { ...headers, 'Content-Disposition': 'The name of the file. A browser shows the image.' },
}

const side = v.picklist(diffImageSides)

const unsupported: Refusal = {
  code: 'UNSUPPORTED_IMAGE',
  extras: {
    reason: v.pipe(
      v.picklist(['SVG', 'LFS_POINTER', 'NOT_AN_IMAGE', 'SYMLINK', 'NOT_A_FILE', 'DAMAGED', 'TOO_COMPLEX']),
      v.description(
        'SVG: it is a document, which the server does not render. LFS_POINTER: the image is in Git LFS, and only its pointer was found. ' +
          'DAMAGED: it cannot be decoded. TOO_COMPLEX: its decoding takes too long.',
      ),
    ),
    side: v.pipe(v.optional(side), v.description('The side with the problem.')),
  },
}

export const diffImageRoutes = {
  getDiffImage: restRoute({
    name: 'getDiffImage',
    method: 'GET',
    path: '/api/worktrees/{worktreeId}/diff-image',
    tag: 'Codebases',
    summary: 'Compare an image of a worktree with a commit',
    description:
      'The agent of the worktree reads the image when it is requested. `before` is the file in the commit `base`. `after` is the file in the ' +
      'commit `head`, or without one in the worktree as it is now, committed or not. For about 10 seconds, the same request gets the same bytes. `side` has both beside each other. `difference` shows what differs in red, and what is the same faintly. ' +
      'It reads PNG, JPEG, GIF and WebP. JPEG images are turned by their EXIF orientation.',
    access: 'people',
    rate: { limit: 'diffImagesPerMinute', windowMs: 60_000, of: 'image comparisons' },
    params: v.object({ worktreeId: idOf('worktree') }),
    query: v.strictObject({
      path: v.pipe(filePath, v.description('The path of the file in the worktree.')),
      oldPath: v.pipe(
        v.optional(filePath),
        v.description('The path of the file in the commit, if the file was renamed since.'),
      ),
      base: v.pipe(
        v.optional(commit),
        v.description(
          'The commit before the change, or a branch or tag. Default: `HEAD`, the commit that is checked out.',
        ),
      ),
      head: v.pipe(
        v.optional(commit),
        v.description('The commit after the change, or a branch or tag. Without it, the file in the worktree is read.'),
      ),
      view: v.pipe(v.picklist(diffImageViews), v.description('The image that is returned.')),
    }),
    queryRefusal: 'BAD_USER_INPUT',
    requestHeaders: { 'If-None-Match': 'An `ETag`. If the image still has it, the answer is `304` without a body.' },
    answers: { 200: image, 304: { description: 'The image is the one with the given `ETag`.', headers } },
    refusals: [
      {
        code: 'NOT_FOUND',
        extras: {
          id: v.pipe(v.optional(id), v.description('The worktree, if there is none.')),
          reason: v.pipe(
            v.optional(v.picklist(['ABSENT', 'UNCHANGED'])),
            v.description(
              'ABSENT: neither side, or not the requested one, has the file. UNCHANGED: both sides have the same bytes.',
            ),
          ),
          side: v.pipe(v.optional(side), v.description('The side without the file. Absent if neither has it.')),
        },
      },
      {
        code: 'FAILED_PRECONDITION',
        extras: {
          state: v.pipe(
            v.optional(v.string()),
            v.description('The status of the worktree, or of its agent: DISCONNECTED, LOST or REVOKED.'),
          ),
          problem: v.pipe(
            v.optional(v.string()),
            v.description('The code with which the agent refused, such as COMMIT_NOT_FOUND or OUTSIDE_ROOTS.'),
          ),
        },
      },
      unsupported,
      {
        code: 'PAYLOAD_TOO_LARGE',
        extras: {
          reason: v.pipe(v.picklist(['BYTES', 'PIXELS']), v.description('Which limit the image exceeds.')),
          limit: v.pipe(
            int,
            v.description(
              'The most bytes of a file (`LIMIT_DIFF_IMAGE_BYTES`), or pixels of an image (`LIMIT_DIFF_IMAGE_PIXELS`).',
            ),
          ),
          side: v.optional(side),
        },
      },
    ],
  }),
  sendDiffImage: restRoute({
    name: 'sendDiffImage',
    method: 'POST',
    path: '/api/agent/diff-images/{jobId}',
    tag: 'Codebases',
    summary: 'Send one side of an image',
    description: 'For the agent that executes the job. A repeat replaces the bytes that were sent before.',
    access: 'agents',
    params: v.object({ jobId: idOf('job') }),
    query: v.strictObject({ side: v.pipe(side, v.description('Which side the bytes are.')) }),
    queryRefusal: 'BAD_USER_INPUT',
    requestHeaders: { 'X-Agent-Epoch': 'The epoch of the present connection of the agent. Required.' },
    rawBody: {
      limit: 'diffImageBytes',
      mediaType: 'application/octet-stream',
      description: 'The bytes of the file.',
    },
    answers: { 204: { description: 'The bytes are stored.' } },
    refusals: [
      badInput,
      { code: 'NOT_FOUND', extras: { id: v.optional(id) } },
      { code: 'STALE_EPOCH', extras: { epoch } },
      'FAILED_PRECONDITION',
      {
        code: 'INSUFFICIENT_STORAGE',
        extras: { reserve: v.pipe(v.number(), v.description('The number of bytes that must stay free.')) },
      },
    ],
  }),
} as const
