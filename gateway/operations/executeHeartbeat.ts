/** Executes a heartbeat: it renews the presence in memory, and then sends the messages that follow. */

import type { Beat } from '../../actors/ports/presence.ts'
import type { System } from '../messages.ts'
import { originOf } from './executeMutation.ts'
import type { Heartbeat } from './handler.ts'
import type { RequestContext } from './requestContext.ts'

export async function executeHeartbeat(
  operation: Heartbeat,
  input: unknown,
  context: RequestContext,
  { system, presence }: { readonly system: System; readonly presence: { pulse(beat: Beat): void } },
): Promise<unknown> {
  presence.pulse(await operation.beat(input as never, context))
  const { messages, answer } = await operation.react(input as never, context)
  const spentMs = context.spentMs()
  for (const message of messages) await system.ask(message, originOf(input, context, message), { spentMs })
  return answer
}
