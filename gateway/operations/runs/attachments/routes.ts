/** The REST routes of run attachments. */
import { attachmentRoutes } from '../../../../spec/runs/attachmentRoutes.ts'
import { json } from '../../../http/answer.ts'
import type { Answer } from '../../../http/route.ts'
import type { Limits } from '../../../limits/limits.ts'
import type { GatewayOptions } from '../../../options.ts'
import { requireSignedIn } from '../../accounts/requireSignedIn.ts'
import { pageOfRows } from '../../core/connections.ts'
import { requireRow } from '../../core/rows.ts'
import { type QueryOf, type RestCall, type ServedRoute, serve } from '../../restHandler.ts'
import type { ContextOf } from '../../worktrees/codebaseRoutes.ts'
import { requireOwnRun, requireStored, sendAttachment } from './download.ts'
import { loadAttachments, toStored } from './runAttachments.ts'
import { uploadAttachment } from './upload.ts'

const pageSize = 100

export function serveAttachments(
  options: GatewayOptions,
  limits: Limits,
  contextOf: ContextOf,
): readonly ServedRoute[] {
  const { blobs } = options
  return [
    serve(attachmentRoutes.uploadRunAttachment, (call) => uploadAttachment(call, { options, limits, contextOf })),
    serve(attachmentRoutes.listRunAttachments, (call) => list(call, options)),
    serve(attachmentRoutes.getRunAttachment, async ({ request, params }) =>
      sendAttachment(await requireStored(params.id, options.views), request, blobs),
    ),
    serve(attachmentRoutes.getAttachmentOfOwnRun, async ({ request, principal, params }) => {
      const row = await requireStored(params.id, options.views)
      await requireOwnRun(row, principal, options.views)
      return sendAttachment(row, request, blobs)
    }),
  ]
}

type ListQuery = QueryOf<typeof attachmentRoutes.listRunAttachments>

async function list(
  { query: { runId, after }, principal }: RestCall<undefined, ListQuery>,
  { views }: Pick<GatewayOptions, 'views'>,
): Promise<Answer> {
  if (runId !== undefined) {
    const rows = await loadAttachments(await requireRow(views, 'run', runId), views)
    return json(200, { attachments: rows.map(toStored), nextCursor: null })
  }
  const { userId } = requireSignedIn(principal)
  const page = await pageOfRows(
    views,
    { kind: 'runAttachment', where: { scopeId: userId }, statuses: ['UNATTACHED'] },
    { first: pageSize, after },
    toStored,
  )
  const { hasNextPage, endCursor } = page.pageInfo
  return json(200, { attachments: page.nodes, nextCursor: hasNextPage ? endCursor : null })
}
