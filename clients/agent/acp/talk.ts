import { type ClientContext, methods, PROTOCOL_VERSION } from '@agentclientprotocol/sdk'
import { version } from '../../../spec/settings/version.ts'
import type { AttachedFile } from '../jobs/attachments.ts'
import type { Mcp } from '../jobs/plan.ts'
import type { AiSpec } from '../jobs/spec.ts'
import type { FormerTurns } from '../operations.ts'
import { attachmentBlocks } from './attachmentBlocks.ts'
import { withFormerTurns } from './formerTurns.ts'
import { handled, type Opening, openSession } from './openSession.ts'
import type { PlanGuard } from './planGuard.ts'
import type { Questions } from './questions.ts'
import type { Transcript } from './transcript.ts'
import type { UsageMeter } from './usage.ts'

export interface Talk {
  agent: ClientContext
  spec: AiSpec
  former: FormerTurns | undefined
  files: readonly AttachedFile[]
  mcp: Mcp | undefined
  transcript: Transcript
  questions: Questions
  /** Only a PLAN run has one. */
  planGuard: PlanGuard | undefined
  usage: UsageMeter
  /** Called as soon as there is a session, so that it can be canceled, and continued if the agent ends. The prompt is sent afterwards. */
  onSession(sessionId: string, opening: Opening): Promise<void>
  /** While true, updates repeat a former conversation and are not recorded again. */
  replaying(on: boolean): void
}

export interface TalkEnd {
  stopReason: string
}

/** Runs one turn of the conversation in the Agent Client Protocol: initialize, session, prompt, and the texts that a person adds. */
export async function talk(to: Talk): Promise<TalkEnd> {
  const about = await to.agent.request(methods.agent.initialize, {
    protocolVersion: PROTOCOL_VERSION,
    // The CLI uses its own tools for files and commands. It runs on the same machine, and those are the tools that its authors test.
    clientCapabilities: {},
    clientInfo: { name: 'signalbox-agent', version },
  })
  const { sessionId, opening } = await openSession(to, about)
  await to.onSession(sessionId, opening)
  if (to.spec.continues) to.transcript.event('CONVERSATION', { conversation: opening })
  to.usage.begin()
  let blocks = await attachmentBlocks(to.files, about.agentCapabilities?.promptCapabilities)
  for (let prompt: string | undefined = firstPrompt(to, opening); ; ) {
    const response = await to.agent.request(methods.agent.session.prompt, {
      sessionId,
      prompt: [{ type: 'text', text: prompt }, ...blocks],
    })
    blocks = []
    await handled()
    const { stopReason } = response
    to.usage.answer(response)
    to.transcript.event('TURN_END', { stopReason })
    prompt = to.questions.remarks.shift() ?? to.planGuard?.takeReminder()
    if (prompt === undefined || stopReason === 'cancelled') return { stopReason }
  }
}

function firstPrompt({ spec, former }: Talk, opening: Opening): string {
  return opening === 'REPLAYED' && former ? withFormerTurns(former, spec.prompt) : spec.prompt
}
