import { randomUUID } from 'node:crypto'
import type { RequestPermissionRequest, RequestPermissionResponse } from '@agentclientprotocol/sdk'
import * as v from 'valibot'
import type { Uplink } from '../connection/uplink.ts'
import type { Attempt } from '../operations.ts'
import { reportJobResumed, reportJobWaiting } from '../operations.ts'
import { type Deferred, deferred, within } from '../wait.ts'
import { bounded } from './bounded.ts'
import { reject } from './rejection.ts'
import type { Transcript } from './transcript.ts'

const Answer = v.union([v.object({ optionId: v.string() }), v.object({ text: v.string() })])
type Answer = v.InferOutput<typeof Answer>

/** A question does not wait longer for the events before it, ms. */
const eventsMs = 5_000

interface Pending {
  questionId: string
  answered: Deferred<Answer | 'CANCELED' | 'UNCLEAR'>
}

/**
 * Sends the CLI's permission requests to a person and returns the answers. One request is open at a time, and others wait. An answer
 * may be delivered twice. The repeat is recognized by its ID, so it does not answer the next question.
 */
export class Questions {
  /** Texts that a person entered instead of a choice. Each becomes the next prompt of the conversation. */
  readonly remarks: string[] = []
  private readonly attempt: Attempt
  private readonly uplink: Uplink
  private readonly signal: AbortSignal
  private readonly transcript: Transcript
  private readonly onWaiting: (waiting: boolean) => void
  private readonly untilStored: () => Promise<void>
  private readonly answers = new Set<string>()
  private pending: Pending | undefined
  private turn: Promise<unknown> = Promise.resolve()
  private reports: Promise<unknown> = Promise.resolve()
  private over = false

  constructor(options: {
    attempt: Attempt
    uplink: Uplink
    signal: AbortSignal
    transcript: Transcript
    onWaiting(waiting: boolean): void
    /** Resolves when the events that were written until now are stored. */
    untilStored(): Promise<void>
  }) {
    this.attempt = { jobId: options.attempt.jobId, attempt: options.attempt.attempt }
    this.uplink = options.uplink
    this.signal = options.signal
    this.transcript = options.transcript
    this.onWaiting = options.onWaiting
    this.untilStored = () => options.untilStored()
  }

  /** Resolves with the person's choice, or with `cancelled` if the run is canceled meanwhile. */
  askPermission(request: RequestPermissionRequest): Promise<RequestPermissionResponse> {
    const answer = this.turn.then(() => this.ask(request))
    this.turn = answer.catch(() => {})
    return answer
  }

  /** Returns true if the answer belongs to the open question, or was delivered before. */
  answer(answerId: string | undefined, value: unknown): boolean {
    if (answerId !== undefined && this.answers.has(answerId)) return true
    if (!this.pending) return false
    if (answerId !== undefined) this.answers.add(answerId)
    const parsed = v.safeParse(Answer, value)
    // Without a result the question would stay open forever, because the control plane accepts only one answer to a question.
    this.pending.answered.resolve(parsed.success ? parsed.output : 'UNCLEAR')
    return true
  }

  /** Ends all questions: the open one and all later ones are answered with `cancelled`. */
  cancelAll(): void {
    this.over = true
    this.pending?.answered.resolve('CANCELED')
  }

  private async ask(request: RequestPermissionRequest): Promise<RequestPermissionResponse> {
    for (;;) {
      const questionId = randomUUID()
      const answer = await this.waitFor(questionId, request)
      if (answer === 'UNCLEAR') {
        this.transcript.system('The answer is neither a choice ({ optionId }) nor words ({ text }); asking again.')
        continue
      }
      this.transcript.event('PERMISSION_ANSWER', {
        questionId,
        ...(answer === 'CANCELED' ? { canceled: true } : answer),
      })
      if (answer === 'CANCELED') return { outcome: { outcome: 'cancelled' } }
      if ('text' in answer) return this.remark(answer.text, request)
      if (request.options.some((option) => option.optionId === answer.optionId)) {
        return { outcome: { outcome: 'selected', optionId: answer.optionId } }
      }
      this.transcript.system(`“${answer.optionId}” is none of the choices; asking again.`)
    }
  }

  private async waitFor(
    questionId: string,
    { toolCall, options }: RequestPermissionRequest,
  ): Promise<Answer | 'CANCELED' | 'UNCLEAR'> {
    if (this.over) return 'CANCELED'
    const choices = options.map(({ optionId, name, kind }) => ({ optionId, name, kind }))
    const question = {
      kind: 'PERMISSION',
      title: toolCall.title ?? 'Permission',
      toolCall: bounded(toolCall),
      options: choices,
    }
    const answered = deferred<Answer | 'CANCELED' | 'UNCLEAR'>()
    this.pending = { questionId, answered }
    this.onWaiting(true)
    this.transcript.event('PERMISSION_REQUEST', { questionId, ...question })
    this.report(async () => {
      // The run waits from then on. Its transcript then shows what led to the question.
      await within(eventsMs, this.untilStored())
      await this.uplink.ask(reportJobWaiting, { ...this.attempt, question, questionId }, this.signal)
    })
    const answer = await answered.promise
    this.pending = undefined
    this.onWaiting(false)
    if (answer !== 'CANCELED') {
      this.report(() => this.uplink.ask(reportJobResumed, { ...this.attempt, questionId }, this.signal))
    }
    return answer
  }

  /** ACP accepts only a choice. The request is rejected once, and the person's text becomes the next prompt. */
  private remark(text: string, { options }: RequestPermissionRequest): RequestPermissionResponse {
    this.remarks.push(text)
    return reject(options)
  }

  /** Sends reports in order. If one is rejected, the job was reassigned or no longer waits, and other code handles that. */
  private report(send: () => Promise<unknown>): void {
    this.reports = this.reports.then(send).catch(() => {})
  }
}
