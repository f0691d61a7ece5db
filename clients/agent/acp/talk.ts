import {
  type ClientContext,
  type InitializeResponse,
  type McpServer,
  methods,
  type NewSessionResponse,
  PROTOCOL_VERSION,
} from '@agentclientprotocol/sdk'
import type { Mcp } from '../jobs/plan.ts'
import type { AiSpec } from '../jobs/spec.ts'
import { version } from '../version.ts'
import type { Questions } from './questions.ts'
import type { Transcript } from './transcript.ts'

export interface Talk {
  agent: ClientContext
  spec: AiSpec
  mcp: Mcp | undefined
  transcript: Transcript
  questions: Questions
  /** Called as soon as there is a session, so that it can be canceled. */
  onSession(sessionId: string): void
  /** While true, updates repeat a former conversation and are not recorded again. */
  replaying(on: boolean): void
}

export interface Said {
  conversation: string
  stopReason: string
}

/** Runs one turn of the conversation in the Agent Client Protocol: initialize, session, prompt, and the texts that a person adds. */
export async function talk(to: Talk): Promise<Said> {
  const about = await to.agent.request(methods.agent.initialize, {
    protocolVersion: PROTOCOL_VERSION,
    // A plan run must not write files.
    clientCapabilities: { fs: { readTextFile: true, writeTextFile: to.spec.mode !== 'PLAN' } },
    clientInfo: { name: 'signalbox-agent', version },
  })
  const conversation = await openSession(to, about)
  to.onSession(conversation)
  for (let prompt: string | undefined = to.spec.prompt; ; ) {
    const { stopReason } = await to.agent.request(methods.agent.session.prompt, {
      sessionId: conversation,
      prompt: [{ type: 'text', text: prompt }],
    })
    await handled()
    to.transcript.event('TURN_END', { stopReason })
    prompt = to.questions.remarks.shift()
    if (prompt === undefined || stopReason === 'cancelled') return { conversation, stopReason }
  }
}

/**
 * The SDK returns a response before it has handled the notifications that arrived before the response. They need one iteration of the
 * event loop.
 */
function handled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

async function openSession(to: Talk, about: InitializeResponse): Promise<string> {
  const place = { cwd: to.spec.worktreePath, mcpServers: mcpServers(to, about) }
  const former = to.spec.conversation
  if (former !== undefined && (await takeUp(to, about, { ...place, sessionId: former }))) return former
  const session: NewSessionResponse = await to.agent.request(methods.agent.session.new, place)
  await choosePlanMode(to, session.sessionId, modesOf(session))
  return session.sessionId
}

/** Continues a former conversation. If that fails, the log contains the reason and a new conversation begins. */
async function takeUp(
  to: Talk,
  { agentCapabilities }: InitializeResponse,
  session: { cwd: string; mcpServers: McpServer[]; sessionId: string },
): Promise<boolean> {
  try {
    if (agentCapabilities?.sessionCapabilities?.resume) {
      const resumed = await to.agent.request(methods.agent.session.resume, session)
      await choosePlanMode(to, session.sessionId, modesOf(resumed))
      return true
    }
    if (agentCapabilities?.loadSession) {
      to.replaying(true)
      const loaded = await to.agent.request(methods.agent.session.load, session)
      await handled()
      await choosePlanMode(to, session.sessionId, modesOf(loaded))
      return true
    }
    to.transcript.system('This CLI can’t take up a former conversation; a new one is begun.')
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    to.transcript.system(`The former conversation can’t be taken up (${why}); a new one is begun.`)
  } finally {
    to.replaying(false)
  }
  return false
}

function mcpServers({ mcp, transcript }: Talk, { agentCapabilities }: InitializeResponse): McpServer[] {
  if (!mcp) return []
  if (!agentCapabilities?.mcpCapabilities?.http) {
    transcript.system('This CLI takes no MCP server over HTTP; it works without the run’s tools.')
    return []
  }
  const headers = [{ name: 'Authorization', value: `Bearer ${mcp.token}` }]
  return [{ type: 'http', name: 'signalbox', url: mcp.url, headers }]
}

interface Modes {
  readonly modes?: { readonly availableModes: { id: string; name: string }[] } | null
}

/** The response to load or resume may be empty or have no modes. */
function modesOf(answer: unknown): { id: string; name: string }[] {
  return (answer as Modes | null | undefined)?.modes?.availableModes ?? []
}

/** ACP has no standard for planning only. CLIs that support it offer a mode with a name that begins with “plan”. */
async function choosePlanMode(to: Talk, sessionId: string, modes: { id: string; name: string }[]): Promise<void> {
  if (to.spec.mode !== 'PLAN') return
  const mode = modes.find(({ id, name }) => /^plan/i.test(id) || /^plan/i.test(name))
  if (mode) await to.agent.request(methods.agent.session.setMode, { sessionId, modeId: mode.id })
}
