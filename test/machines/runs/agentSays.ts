/** Sends the messages of an agent, through the operations that the real agent calls, to actors in an `UnorderedActors`. */

import { agentSessionHandlers } from '../../../gateway/operations/agents/agentSession.ts'
import { jobHandlers } from '../../../gateway/operations/agents/jobs.ts'
import type { RequestContext } from '../../../gateway/operations/requestContext.ts'
import type { MachineContext } from '../../../machines/framework/define.ts'
import type { Members } from '../../../machines/framework/members.ts'
import type { ActorRef } from '../../../spec/core/actor.ts'
import type { UnorderedActors } from '../../kit/runtime/unorderedActors.ts'

interface Spoken {
  readonly to: ActorRef
  readonly event: { readonly type: string }
}

type Plan = (input: unknown, context: RequestContext) => Promise<{ readonly messages: readonly Spoken[] }>

/** The functions of a mutation or of a heartbeat that lead to messages. */
interface Sending {
  readonly translate?: Plan
  beat?(input: unknown, context: RequestContext): Promise<unknown>
  readonly react?: Plan
}

/** Carries an operation out and answers what it became, as `kind.event`. */
export async function agentSays(
  world: UnorderedActors,
  agent: ActorRef,
  name: string,
  input: Readonly<Record<string, unknown>>,
): Promise<string[]> {
  const operation = [...jobHandlers, ...agentSessionHandlers].find((one) => one.name === name) as Sending | undefined
  const plan = operation?.translate ?? operation?.react
  if (plan === undefined) throw new Error(`There is no ${name}.`)
  const context = contextFor(world, agent)
  await operation?.beat?.(input, context)
  const { messages } = await plan(input, context)
  for (const { to, event } of messages) world.send(to, event)
  return messages.map(({ to, event }) => `${to.kind}.${event.type}`)
}

function contextFor(world: UnorderedActors, agent: ActorRef): RequestContext {
  const kept = () => world.context<MachineContext & { epoch: number; loose: number }>(agent.id)
  const row = (ref: ActorRef) => {
    const context = world.context<MachineContext>(ref.id)
    const columns = { status: world.state(ref.id), terminal: world.isOver(ref.id), agentId: agent.id }
    return { id: ref.id, kind: ref.kind, init: context.init, context, columns }
  }
  const context = {
    principal: { kind: 'agent', agentId: agent.id },
    presence: {
      lastSeen: () => world.now,
      epoch: () => kept().epoch,
      loose: () => kept().loose,
      status: () => world.state(agent.id),
    },
    now: world.now,
    heartbeats: { pulse: () => {} },
    actors: { peek: async (ref: ActorRef) => row(ref) },
    streams: { head: async () => ({ next: 0 }) },
    views: {
      members: async (id: string, prefix: string) => {
        const { members } = world.context<{ members: Members }>(id)
        return [...members.range(prefix)].map(([key, value]) => ({ key, value }))
      },
    },
  }
  return context as unknown as RequestContext
}
