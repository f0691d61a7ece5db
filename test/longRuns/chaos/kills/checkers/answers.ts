/** No acknowledged answer is wrong, including refusals. The evidence is the content of storage and the state of each actor at the time. */
import type { Asked, Checker, Seen, Step, Violation } from '../seen.ts'

type Accepted = Asked & { readonly answer: Extract<Asked['answer'], { type: 'accepted' }> }
type Refused = Asked & { readonly answer: Extract<Asked['answer'], { type: 'refused' }> }

/** The journal has the database's time as the program reads it, and the harness has its own. Milliseconds by which they may differ. */
const readingMs = 10

export const answersAreTrue: Checker = (seen) => {
  const violations: Violation[] = []
  for (const exact of seen.asked) {
    const { sentAt, lastSentAt, answeredAt } = exact
    const widened = {
      sentAt: sentAt - readingMs,
      lastSentAt: lastSentAt - readingMs,
      answeredAt: answeredAt + readingMs,
    }
    const asked = { ...exact, ...widened }
    const { type } = asked.answer
    const found =
      type === 'accepted'
        ? untrueAcceptance(asked as Accepted, seen)
        : type === 'refused'
          ? untrueRefusal(asked as Refused, seen)
          : []
    violations.push(...[found].flat().map(({ what, ids }) => ({ what: `${describe(asked)}: ${what}`, ids })))
  }
  return [...violations, ...differentRepeats(seen.asked)]
}

const describe = ({ operation, input, tries, answer }: Asked): string =>
  `${operation} ${JSON.stringify(input)} (${tries} tries) was answered ${answer.type === 'refused' ? answer.code : answer.type}`

const one = (what: string, ...ids: string[]): Violation[] => [{ what, ids }]

function untrueAcceptance(asked: Accepted, seen: Seen): Violation[] {
  const { object } = asked.answer
  if (asked.operation === 'createRunFollowUp' && object.id === undefined) return notWithdrawn(asked, seen)
  const id = String(object.id)
  const actor = seen.actors.get(id)
  if (actor === undefined)
    return asked.operation === 'createRunFollowUp' ? notQueued(asked, id, seen) : one(`${id} does not exist`, id)
  const steps = seen.journal.get(id) ?? []
  switch (asked.operation) {
    case 'createAgentRun':
    case 'createRunFollowUp':
    case 'startWorkflow':
    case 'retryRun':
      return [...differs(asked, seen), ...ownerless(id, seen)]
    case 'createWorkflow': {
      const rules = actor.init.rules as { overlapPolicy: string }
      return rules.overlapPolicy === asked.input.overlapPolicy ? [] : one(`its policy is ${rules.overlapPolicy}`, id)
    }
    case 'publishWorkflow':
      return happened(steps, 'publish', asked) ? [] : one('it was not published then', id)
    case 'cancelRun':
      if (!actor.terminal) return one(`the run is ${actor.status} in the end`, id)
      return happened(steps, 'cancel', asked) || stood(steps, ['CANCELED', 'CANCELING'], asked)
        ? []
        : one('the run was never canceled', id)
    case 'pauseRun':
    case 'resumeRun': {
      const isPause = asked.operation === 'pauseRun'
      const isSame = happened(steps, isPause ? 'pause' : 'resume', asked) || wasPaused(steps, asked, isPause)
      return isSame ? [] : one(`the run was not ${isPause ? 'paused' : 'resumed'}`, id)
    }
    case 'decideApproval': {
      const { decision } = (actor.context.approval ?? {}) as { readonly decision?: string }
      return decision === asked.input.decision ? [] : one(`the stored decision is ${decision}`, id)
    }
    case 'updateRunConfiguration': {
      const { worktreeConcurrencyLimit } = asked.input.configuration as { worktreeConcurrencyLimit: number }
      const set = during(steps, asked).some(
        ({ event, payload }) => event === 'configure' && payload.limit === worktreeConcurrencyLimit,
      )
      return set ? [] : one('the limit was not changed then', id)
    }
    case 'pauseWorktreeQueue':
    case 'resumeWorktreeQueue': {
      const paused = asked.operation === 'pauseWorktreeQueue'
      const same = happened(steps, paused ? 'pause' : 'resume', asked) || wasPaused(steps, asked, paused)
      return same ? [] : one(`the queue was not ${paused ? 'paused' : 'resumed'}`, id)
    }
    default:
      return []
  }
}

/** A follow-up whose run does not exist in the end is queued in its session, or was withdrawn. */
function notQueued({ input }: Accepted, id: string, { actors, followUps }: Seen): Violation[] {
  const known = followUps.get(String(actors.get(String(input.runId))?.init.ownerId))
  const isKnown = known !== undefined && (known.queued.includes(id) || known.withdrawn.includes(id))
  return isKnown ? [] : one(`${id} does not exist and is not queued`, id)
}

/** A repeat of the request is answered with neither a run nor a queued follow-up only after the follow-up was withdrawn. */
function notWithdrawn({ input }: Accepted, { asked, followUps }: Seen): Violation[] {
  const former = asked.find(
    (other) =>
      other.input.idempotencyKey === input.idempotencyKey &&
      other.answer.type === 'accepted' &&
      other.answer.object.id !== undefined,
  )
  const id = former?.answer.type === 'accepted' ? String(former.answer.object.id) : ''
  const isWithdrawn = [...followUps.values()].some(({ withdrawn }) => withdrawn.includes(id))
  return isWithdrawn ? [] : one('the answer has neither a run nor a queued follow-up', id)
}

/** The created object must match the request. */
function differs({ input, operation, answer }: Accepted, { actors }: Seen): Violation[] {
  const id = String(answer.object.id)
  const init = actors.get(id)?.init ?? {}
  const wanted: Record<string, unknown> = {}
  if (operation === 'createAgentRun') {
    Object.assign(wanted, { title: input.title, kind: input.kind, worktreeId: input.worktreeId })
    const limit = (input.configuration as { worktreeConcurrencyLimit?: number } | undefined)?.worktreeConcurrencyLimit
    wanted.limit = limit ?? (input.kind === 'SESSION' ? 1 : 0)
  }
  if (operation === 'startWorkflow') Object.assign(wanted, { ownerId: input.workflowId, worktreeId: input.worktreeId })
  if (operation === 'retryRun') {
    const { ownerId, worktreeId } = actors.get(String(input.runId))?.init ?? {}
    Object.assign(wanted, { retryOf: input.runId, ownerId, worktreeId })
  }
  if (operation === 'createRunFollowUp') wanted.ownerId = actors.get(String(input.runId))?.init.ownerId
  return Object.entries(wanted).flatMap(([name, value]) =>
    init[name] === value
      ? []
      : one(`${id} has ${name} ${JSON.stringify(init[name])} instead of ${JSON.stringify(value)}`, id),
  )
}

function ownerless(id: string, { actors }: Seen): Violation[] {
  const owner = String(actors.get(id)?.init.ownerId)
  return actors.has(owner) ? [] : one(`${id} is a run of ${owner}, which does not exist`, id)
}

function untrueRefusal(asked: Refused, seen: Seen): Violation[] {
  const { code, details, message } = asked.answer
  const id = String(asked.input.runId ?? asked.input.stepId ?? asked.input.workflowId ?? asked.input.worktreeId ?? '')
  switch (code) {
    case 'NOT_FOUND':
      // The run of a queued follow-up has its ID before it exists.
      return existed(id, asked.sentAt, seen) ? one(`${id} exists`, id) : []
    case 'CONFLICT':
      if (details.field === 'expectedRevision') return untrueRevision(asked, id, seen)
      return details.field === 'idempotencyKey' ? untrueConflict(asked, seen) : one(`unexpected: ${message}`, id)
    case 'FAILED_PRECONDITION':
      if (changesQueued.has(asked.operation)) return stillQueued(asked, id, seen)
      return untruePrecondition(asked, id, seen)
    default:
      return one(`unexpected: ${message}`, id)
  }
}

const changesQueued = new Set(['updateQueuedFollowUp', 'withdrawQueuedFollowUp'])

/** The follow-up must have started, or have been withdrawn. */
function stillQueued({ input, answeredAt }: Refused, id: string, { actors, journal }: Seen): Violation[] {
  const startedAt = Number(actors.get(id)?.init.createdAt ?? Number.POSITIVE_INFINITY)
  const withdrawal = (journal.get(String(input.sessionId)) ?? []).find(
    ({ event, payload }) => event === 'followUpWithdrawn' && payload.runId === id,
  )
  const leftAt = Math.min(startedAt, withdrawal?.at ?? Number.POSITIVE_INFINITY)
  return leftAt <= answeredAt + clockDifferenceMs ? [] : one(`${id} was queued then`, id, String(input.sessionId))
}

/** The follow-up must have had another revision at some time between the request and its answer. */
function untrueRevision({ input, lastSentAt, answeredAt }: Refused, id: string, { journal }: Seen): Violation[] {
  const edits = (journal.get(String(input.sessionId)) ?? []).filter(
    ({ event, payload }) => event === 'followUpEdited' && payload.runId === id,
  )
  const countUntil = (until: number) => edits.filter(({ at }) => at <= until).length
  const least = 1 + countUntil(lastSentAt - clockDifferenceMs)
  const most = 1 + countUntil(answeredAt + clockDifferenceMs)
  const isAlways = least === most && least === input.expectedRevision
  return isAlways ? one(`${id} was at revision ${least} then`, id) : []
}

function existed(id: string, at: number, { actors, journal }: Seen): boolean {
  const created = journal.get(id)?.[0]?.at ?? 0
  return actors.has(id) && created <= at
}

/** The key must have been used before, or in between, with another input. */
function untrueConflict(asked: Refused, { asked: all }: Seen): Violation[] {
  const other = all.some(
    (one_) =>
      one_.input !== asked.input &&
      one_.input.idempotencyKey === asked.input.idempotencyKey &&
      one_.sentAt < asked.answeredAt &&
      JSON.stringify(one_.input) !== JSON.stringify(asked.input),
  )
  return other ? [] : one('the key was never used with another input')
}

function untruePrecondition(asked: Refused, id: string, seen: Seen): Violation[] {
  const { details, message } = asked.answer
  if (typeof details.state === 'string' && typeof details.id === 'string') {
    const steps = seen.journal.get(details.id) ?? []
    return stood(steps, [details.state], asked) ? [] : one(`${details.id} was not ${details.state} then`, details.id)
  }
  if (asked.operation === 'retryRun' && typeof details.runId === 'string') return couldRetry(details.runId, asked, seen)
  if (asked.operation === 'decideApproval') return couldDecide(asked, id, seen)
  if (typeof details.runId === 'string') return notUnderWay(details.runId, asked, seen)
  if (/follow-up/.test(message)) return seen.actors.get(id)?.init.kind === 'WORKFLOW' ? [] : one(message, id)
  const draft = /^The workflow is (\w+)/.exec(message)
  if (draft?.[1] !== undefined) {
    return stood(seen.journal.get(id) ?? [], [draft[1]], asked) ? [] : one(`it was not ${draft[1]} then`, id)
  }
  if (/wait already/.test(message)) return []
  return one(`unexpected: ${message}`, id)
}

/** The run must have been active, or have succeeded, so that it has no failed step. */
function couldRetry(runId: string, asked: Refused, { journal }: Seen): Violation[] {
  const { state = 'SUCCEEDED' } = asked.answer.details
  return stood(journal.get(runId) ?? [], [String(state)], asked) ? [] : one(`${runId} was not ${state} then`, runId)
}

/** A decision that is stored already is accepted again. */
function couldDecide(asked: Refused, id: string, { actors, journal }: Seen): Violation[] {
  const { decision } = (actors.get(id)?.context.approval ?? {}) as { readonly decision?: string }
  if (decision === asked.input.decision) return one(`${decision} is the stored decision`, id)
  const { state } = asked.answer.details
  return stood(journal.get(id) ?? [], [String(state)], asked) ? [] : one(`it was not ${state} then`, id)
}

/** A turn is active until its plan or session has received the end of its run. */
function notUnderWay(runId: string, asked: Refused, { actors, journal }: Seen): Violation[] {
  const owner = String(actors.get(runId)?.init.ownerId)
  const heard = (journal.get(owner) ?? []).find(
    ({ event, payload }) => event === 'runChanged' && payload.runId === runId && terminal.has(String(payload.status)),
  )
  return heard === undefined || heard.at >= asked.lastSentAt ? [] : one(`${runId} was over then`, runId, owner)
}

const terminal = new Set(['SUCCEEDED', 'FAILED', 'CANCELED', 'TIMED_OUT', 'LOST', 'SKIPPED'])

/** The program takes the time from its database. Each start estimates the difference, which is inexact while the machine is busy. */
const clockDifferenceMs = 1_000

/** The longest time between a transition and its commit, on a busy machine. */
const commitMs = 1_000

/** Transitions that the request may have caused. A try whose answer was lost counts too. */
const during = (steps: readonly Step[], { sentAt, answeredAt }: Asked): readonly Step[] =>
  steps.filter(({ at }) => at >= sentAt - clockDifferenceMs && at <= answeredAt + clockDifferenceMs)

const happened = (steps: readonly Step[], event: string, asked: Asked): boolean =>
  during(steps, asked).some((step) => step.event === event)

/**
 * The transitions whose result readers could see at some time between the last try and its answer. A transition has the time at which
 * the actor made it. Readers see the former result until it is committed, which is up to `commitMs` later.
 */
function visible(steps: readonly Step[], { lastSentAt, answeredAt }: Asked): readonly Step[] {
  return steps.filter(({ at }, index) => {
    const until = (steps[index + 1]?.at ?? Number.POSITIVE_INFINITY) + commitMs
    return at <= answeredAt && until >= lastSentAt
  })
}

const stood = (steps: readonly Step[], statuses: readonly string[], asked: Asked): boolean =>
  visible(steps, asked).some(({ status }) => statuses.includes(status))

/** Only these transitions begin and end a pause. An actor is created without one. */
const changesPause = ({ event }: Step, index: number): boolean => index === 0 || event === 'pause' || event === 'resume'

const wasPaused = (steps: readonly Step[], asked: Asked, wanted: boolean): boolean =>
  visible(steps.filter(changesPause), asked).some(({ event }) => (event === 'pause') === wanted)

/** One key and one input must give one actor. */
function differentRepeats(all: readonly Asked[]): Violation[] {
  const first = new Map<string, string>()
  return all.flatMap(({ operation, input, answer }) => {
    if (answer.type !== 'accepted' || typeof input.idempotencyKey !== 'string') return []
    // The follow-up was withdrawn between the two.
    if (operation === 'createRunFollowUp' && answer.object.id === undefined) return []
    const key = `${operation} ${JSON.stringify(input)}`
    const id = String(answer.object.id)
    const before = first.get(key) ?? id
    first.set(key, before)
    return before === id ? [] : one(`${key} gave ${before} and then ${id}`, before, id)
  })
}
