/** The log of a build as a file, whole or in ranges. */
import type { TypedRow } from '../../../machines/rows.ts'
import { siblingId } from '../../../spec/core/ids.ts'
import type { HttpRequest } from '../../http/request.ts'
import type { Answer } from '../../http/route.ts'
import { sendRange } from '../core/files/sendRange.ts'
import { headOf, historyGone, isOutput, pagesFrom } from '../runs/logs/pages.ts'
import type { TypedViews } from '../typedViews.ts'
import { onlyLogOf } from './readJobLog.ts'

/**
 * The output that is stored at this moment. A log only grows, so its size identifies its version, and a range of a build that still runs stays
 * right.
 * @throws Failure HISTORY_GONE if its beginning was deleted
 */
export async function sendBuildLog(row: TypedRow<'build'>, request: HttpRequest, views: TypedViews): Promise<Answer> {
  const log = onlyLogOf(siblingId('job', row.id))
  const { first } = await headOf(views, log)
  if (first > 0) throw historyGone(first)
  const { size } = await views.outputPlace(log, 0)
  return sendRange(
    {
      name: `build-${row.init.number}.log`,
      contentType: 'text/plain; charset=utf-8',
      size,
      version: String(size),
      read: (from, to) => readOutput(log, from, to, views),
    },
    request,
  )
}

async function* readOutput(log: string, from: number, to: number, views: TypedViews): AsyncGenerator<Uint8Array> {
  const { sequence, offset } = await views.outputPlace(log, from)
  if (sequence === null) return
  let skip = offset
  let left = to - from
  for await (const { entries, first } of pagesFrom(views, log, sequence)) {
    if (first > sequence) throw historyGone(first)
    for (const { data } of entries.filter(isOutput)) {
      const part = data.subarray(skip, skip + left)
      skip = 0
      left -= part.length
      if (part.length > 0) yield part
      if (left === 0) return
    }
  }
}
