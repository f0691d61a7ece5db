/** The sessions of one writer that get follow-ups while their turns run. */
import type { Random } from '../random.ts'
import type { Asked } from './seen.ts'

interface TalkFollowUp {
  readonly runId: string
  readonly step: string
  edits: number
}

interface Talk {
  readonly sessionId: string
  /** The run of the first turn. */
  readonly runId: string
  /** The follow-ups that were acknowledged. Some have started. */
  readonly followUps: TalkFollowUp[]
}

export type Ask = (
  name: 'createRunFollowUp' | 'updateQueuedFollowUp' | 'withdrawQueuedFollowUp' | 'resumeQueuedFollowUps',
  input: Readonly<Record<string, unknown>>,
) => Promise<Asked>

export interface TalksOptions {
  readonly ask: Ask
  readonly random: Random
  /** Begins the names of the workflow steps, which no other writer uses. */
  readonly name: string
  /** The text of a prompt: what `work.sh` executes. */
  words(step: string): string
}

/** The limit of a talk's runs on their worktree: none, so that only the session keeps its turns apart. */
export const talkConfiguration = { worktreeConcurrencyLimit: 0 }
/** Follow-ups of one session, so that all of them come to an end. */
const most = 6
/** Writers use only their latest sessions, whose turns still run. */
const recent = 2

export class Talks {
  readonly #options: TalksOptions
  readonly #talks: Talk[] = []
  #count = 0

  constructor(options: TalksOptions) {
    this.#options = options
  }

  /** Keeps a session whose first run was acknowledged. */
  keep({ answer }: Asked): void {
    if (answer.type !== 'accepted') return
    const { id, sessionId } = answer.object
    this.#talks.push({ sessionId: String(sessionId), runId: String(id), followUps: [] })
  }

  /** @returns the request of the follow-up; undefined if no session can get one */
  async followUp(): Promise<Asked | undefined> {
    const talk = this.#pick()
    if (talk === undefined || talk.followUps.length >= most) return undefined
    const { ask, words, name, random } = this.#options
    const step = `${name}-f${++this.#count}`
    const { runId } = talk
    const input = { runId, prompt: words(step), timeoutSeconds: 60, configuration: talkConfiguration }
    const asked = await ask('createRunFollowUp', input)
    const { answer } = asked
    // A repeat of a withdrawn follow-up is answered without an ID. This request is no repeat of another one.
    if (answer.type !== 'accepted') return asked
    const followUp = { runId: String(answer.object.id), step, edits: 0 }
    talk.followUps.push(followUp)
    // At once, because it may start soon.
    const next = random.next()
    if (next < 0.35) await this.#edit(talk, followUp)
    else if (next < 0.55) await this.#withdraw(talk, followUp)
    return asked
  }

  async edit(): Promise<void> {
    const [talk, followUp] = this.#pickFollowUp()
    if (talk !== undefined && followUp !== undefined) await this.#edit(talk, followUp)
  }

  async withdraw(): Promise<void> {
    const [talk, followUp] = this.#pickFollowUp()
    if (talk !== undefined && followUp !== undefined) await this.#withdraw(talk, followUp)
  }

  async resume(): Promise<void> {
    const talk = this.#pick()
    if (talk !== undefined) await this.#options.ask('resumeQueuedFollowUps', { sessionId: talk.sessionId })
  }

  async #edit({ sessionId }: Talk, followUp: TalkFollowUp): Promise<void> {
    const { ask, random, words } = this.#options
    const expectedRevision = random.next() < 0.5 ? { expectedRevision: followUp.edits + 1 } : {}
    followUp.edits++
    const prompt = words(`${followUp.step}-e${followUp.edits}`)
    await ask('updateQueuedFollowUp', { sessionId, runId: followUp.runId, prompt, ...expectedRevision })
  }

  async #withdraw({ sessionId }: Talk, { runId }: TalkFollowUp): Promise<void> {
    await this.#options.ask('withdrawQueuedFollowUp', { sessionId, runId })
  }

  #pick(): Talk | undefined {
    return this.#options.random.pick(this.#talks.slice(-recent))
  }

  /** One of the last: the others have probably started. */
  #pickFollowUp() {
    const talk = this.#pick()
    return [talk, this.#options.random.pick(talk?.followUps.slice(-3) ?? [])] as const
  }
}
