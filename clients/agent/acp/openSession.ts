/** The session of a turn: a new one, or that of the former turns. */
import {
  type ClientContext,
  type InitializeResponse,
  type McpServer,
  methods,
  type NewSessionResponse,
} from '@agentclientprotocol/sdk'
import type * as v from 'valibot'
import type { runConversation } from '../../../spec/runs/conversation.ts'
import type { Mcp } from '../jobs/plan.ts'
import type { AiSpec } from '../jobs/spec.ts'
import type { FormerTurns } from '../operations.ts'
import { describeRpcError } from './rpcError.ts'
import { setOptions } from './sessionOptions.ts'
import type { Transcript } from './transcript.ts'
import { TurnRefused } from './turnRefused.ts'

/** The beginning of the conversation of a turn. */
export type Opening = v.InferOutput<typeof runConversation>

export interface SessionRequest {
  readonly agent: ClientContext
  readonly spec: AiSpec
  readonly mcp: Mcp | undefined
  readonly transcript: Transcript
  /** The turns before this one. They can be part of the prompt. */
  readonly former: FormerTurns | undefined
  /** While true, updates repeat the former conversation and are not recorded again. */
  replaying(on: boolean): void
}

export interface OpenSession {
  readonly sessionId: string
  readonly opening: Opening
}

/** @throws TurnRefused if the run requires a former conversation, a mode or a model that the CLI does not have */
export async function openSession(request: SessionRequest, about: InitializeResponse): Promise<OpenSession> {
  const place = { cwd: request.spec.worktreePath, mcpServers: mcpServers(request, about) }
  const former = request.spec.continues
  if (former?.conversation != null) {
    const opening = await continueSession(request, { ...place, sessionId: former.conversation })
    if (opening !== undefined) return { sessionId: former.conversation, opening }
  }
  if (former?.required)
    throw new TurnRefused(
      'CONVERSATION_LOST',
      'The coding CLI no longer has the conversation of the former turns, and the run requires it.',
    )
  const session: NewSessionResponse = await request.agent.request(methods.agent.session.new, place)
  await setOptions(request.spec, request.agent, session.sessionId, session)
  return { sessionId: session.sessionId, opening: request.former?.turns.length ? 'REPLAYED' : 'NEW' }
}

/**
 * Continues a former conversation. CLIs advertise methods that they do not have, and have methods that they do not advertise, so only
 * their answers count. Returns undefined if no method works; the log contains the reasons.
 */
async function continueSession(
  request: SessionRequest,
  session: { cwd: string; mcpServers: McpServer[]; sessionId: string },
): Promise<Opening | undefined> {
  const { transcript } = request
  const ways = [
    ['RESUMED', methods.agent.session.resume],
    ['LOADED', methods.agent.session.load],
  ] as const
  const reasons: string[] = []
  for (const [opening, method] of ways) {
    let answer: unknown
    try {
      answer = await continueBy(method, request, session)
    } catch (error) {
      reasons.push(`${method}: ${describeRpcError(error)}`)
      continue
    }
    await setOptions(request.spec, request.agent, session.sessionId, answer)
    return opening
  }
  transcript.system(`The CLI cannot continue the former conversation (${reasons.join('; ')}).`)
  return undefined
}

async function continueBy(method: string, { agent, replaying }: SessionRequest, session: object): Promise<unknown> {
  replaying(true)
  try {
    const answer = await agent.request(method, session)
    await handled()
    return answer
  } finally {
    replaying(false)
  }
}

/**
 * The SDK returns a response before it has handled the notifications that arrived before the response. They need one iteration of the
 * event loop.
 */
export function handled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

function mcpServers({ mcp, transcript }: SessionRequest, { agentCapabilities }: InitializeResponse): McpServer[] {
  if (!mcp) return []
  if (!agentCapabilities?.mcpCapabilities?.http) {
    transcript.system('This CLI takes no MCP server over HTTP; it works without the run’s tools.')
    return []
  }
  const headers = [{ name: 'Authorization', value: `Bearer ${mcp.token}` }]
  return [{ type: 'http', name: 'signalbox', url: mcp.url, headers }]
}
