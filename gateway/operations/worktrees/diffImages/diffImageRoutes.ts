/** The REST routes of image comparisons: the one of people, and the one by which agents send the bytes. */
import { Failure } from '../../../../spec/core/failure.ts'
import { siblingId } from '../../../../spec/core/ids.ts'
import { diffImageRoutes } from '../../../../spec/worktrees/diffImageRoutes.ts'
import { diffImageBlob } from '../../../../spec/worktrees/diffImages.ts'
import type { Answer } from '../../../http/route.ts'
import { ImageComparer } from '../../../images/imageComparer.ts'
import { KeyedSemaphore } from '../../../limits/keyedSemaphore.ts'
import type { Limits } from '../../../limits/limits.ts'
import type { GatewayOptions } from '../../../options.ts'
import { ownJob } from '../../agents/jobs.ts'
import { DiskRoom } from '../../core/diskRoom.ts'
import { numberHeader, requireOctets } from '../../core/octets.ts'
import { type ParamsOf, type QueryOf, type RestCall, type ServedRoute, serve } from '../../restHandler.ts'
import type { ContextOf } from '../codebaseRoutes.ts'
import { answerDiffImage } from './diffImageAnswer.ts'
import { DiffImageReader } from './readDiffImage.ts'

type Options = Pick<GatewayOptions, 'system' | 'views' | 'feed' | 'ids' | 'clock' | 'blobs'>

export function serveDiffImages(options: Options, limits: Limits, contextOf: ContextOf): readonly ServedRoute[] {
  const reader = new DiffImageReader(options)
  const services = { blobs: options.blobs, comparer: new ImageComparer(), limits }
  const turns = new KeyedSemaphore(1)
  const room = new DiskRoom({ blobs: options.blobs, views: options.views, reserve: limits.diskReserveBytes })
  return [
    serve(diffImageRoutes.getDiffImage, async ({ request, principal, params, query }) => {
      const { path, oldPath = path, base = 'HEAD', head = null, view } = query
      const wanted = { worktreeId: params.worktreeId, path, oldPath, base, head }
      const reading = await reader.read(wanted, contextOf(request, principal))
      return await answerDiffImage(reading, wanted, view, request.headers.get('if-none-match'), services)
    }),
    serve(diffImageRoutes.sendDiffImage, (call) => receiveSide(call, { options, limits, room, turns, contextOf })),
  ]
}

interface ReceiverServices {
  readonly options: Options
  readonly limits: Limits
  readonly room: DiskRoom
  /** Two requests for one side, of which one is a repeat, store their bytes one after the other. */
  readonly turns: KeyedSemaphore
  readonly contextOf: ContextOf
}

type Call = RestCall<
  undefined,
  QueryOf<typeof diffImageRoutes.sendDiffImage>,
  ParamsOf<typeof diffImageRoutes.sendDiffImage>
>

async function receiveSide(
  { request, principal, params: { jobId }, query: { side } }: Call,
  { options: { views, blobs }, limits, room, turns, contextOf }: ReceiverServices,
): Promise<Answer> {
  const epoch = numberHeader(request, 'X-Agent-Epoch')
  const job = await ownJob({ epoch, jobId }, contextOf(request, principal))
  if (job.init.kind !== 'DIFF_IMAGE')
    throw new Failure('NOT_FOUND', `The job ${jobId} does not read an image.`, { details: { id: jobId } })
  requireOctets(request)
  const id = siblingId('diffImage', jobId)
  const status = (await views.get('diffImage', id))?.columns.status
  if (status !== 'READING')
    throw new Failure('FAILED_PRECONDITION', 'The bytes are no longer needed: the request for the image has ended.', {
      details: { id, ...(status === undefined ? {} : { state: status }) },
    })
  await room.requireForNew(Number(request.headers.get('content-length') ?? 0))
  const bytes = await request.body.read(limits.diffImageBytes)
  const blob = diffImageBlob(side, id)
  // A repeat, whose first request was interrupted, replaces its bytes.
  await turns.run(blob, async () => {
    await blobs.remove(blob)
    await blobs.append(blob, 0, bytes)
  })
  return { status: 204 }
}
