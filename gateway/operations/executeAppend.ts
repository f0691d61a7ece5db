/** Executes an append: it stores the entries, sends the message that follows, and answers with the stream's next sequence. */

import type { Clock } from '../../actors/ports/clock.ts'
import type { Append as StreamAppend, StreamGap, Streams } from '../../storage/ports/streams.ts'
import type { System } from '../messages.ts'
import { originOf } from './executeMutation.ts'
import type { Append } from './handler.ts'
import type { RequestContext } from './requestContext.ts'

export async function executeAppend(
  operation: Append,
  input: unknown,
  context: RequestContext,
  { system, streams, clock }: { readonly system: System; readonly streams: Streams; readonly clock: Clock },
): Promise<unknown> {
  const { stream, sequence, entries, message, answer } = await operation.append(input as never, context)
  const next = await store(streams, { stream, sequence, entries, at: clock.now() })
  if (message !== undefined) {
    await system.ask(message, originOf(input, context, message), { spentMs: context.spentMs() })
  }
  return answer(next)
}

/** Entries after a gap are not stored. The next sequence tells the sender where to continue. */
async function store(streams: Streams, append: StreamAppend): Promise<number> {
  try {
    return (await streams.append(append)).next
  } catch (error) {
    if (error instanceof Error && error.name === 'StreamGap') return (error as StreamGap).next
    throw error
  }
}
