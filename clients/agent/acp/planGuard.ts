import type { RequestPermissionRequest, RequestPermissionResponse } from '@agentclientprotocol/sdk'
import { isChanging, presentedPlan } from './planRules.ts'
import { reject } from './rejection.ts'
import type { Transcript } from './transcript.ts'

/** The maximum number of times that a CLI is reminded that its run only plans. */
const remindersMax = 3
const reminder =
  'That was rejected, because this run only plans. Change no files and run no commands. Present the plan when it is complete.'

/** Rejects what a PLAN run must not do, whatever a person would answer, and takes the plan that the CLI presents as the run's answer. */
export class PlanGuard {
  private readonly transcript: Transcript
  private readonly onPlan: () => void
  private piecesAtRejection: number | undefined
  private remindersLeft = remindersMax

  /** @param onPlan called when the CLI has presented its plan. The run needs nothing more from the CLI. */
  constructor(transcript: Transcript, onPlan: () => void) {
    this.transcript = transcript
    this.onPlan = onPlan
  }

  /** Returns undefined if the request is for a person to decide. */
  reject({ toolCall, options }: RequestPermissionRequest): RequestPermissionResponse | undefined {
    const { toolCalls } = this.transcript
    const kind = toolCalls.kindOf(toolCall)
    const plan = presentedPlan(toolCall, toolCalls)
    if (plan !== undefined) {
      this.transcript.presentPlan(plan)
      this.onPlan()
      return reject(options)
    }
    if (!isChanging(kind)) return undefined
    this.transcript.system(`Rejected, because this run only plans: ${toolCall.title ?? kind}`)
    this.piecesAtRejection = this.transcript.pieces
    return reject(options)
  }

  /**
   * The next prompt after a turn of the conversation that a rejection ended: claude-code-acp does not ask its model again after one.
   * Undefined if the CLI has sent a message since, or was reminded often enough.
   */
  takeReminder(): string | undefined {
    const isSilent = this.piecesAtRejection === this.transcript.pieces
    this.piecesAtRejection = undefined
    if (!isSilent || this.remindersLeft === 0) return undefined
    this.remindersLeft -= 1
    return reminder
  }
}
