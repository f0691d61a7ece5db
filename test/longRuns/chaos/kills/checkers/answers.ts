/**
 * No answer is wrong, refusals included. Each is compared with the content of storage at the end, and with the state that the actor had at
 * the time of the answer.
 */
import type { Asked, Checker, Seen, SeenTransition, Violation } from '../seen.ts'
import { violation } from './violation.ts'

type Accepted = Asked & { readonly answer: Extract<Asked['answer'], { type: 'accepted' }> }
type Refused = Asked & { readonly answer: Extract<Asked['answer'], { type: 'refused' }> }

/**
 * By how much the program's time and the time of the tests usually differ, in milliseconds. Every comparison allows for it. Few comparisons
 * allow for the rare `clockDifferenceMs` too: with a tolerance of a second, a wrong answer about a change of that second is not found.
 */
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

function untrueAcceptance(asked: Accepted, seen: Seen): Violation[] {
  const { object } = asked.answer
  if (asked.operation === 'createRunFollowUp' && object.id === undefined) return notWithdrawn(asked, seen)
  const id = String(object.id)
  const actor = seen.actors.get(id)
  if (actor === undefined)
    return asked.operation === 'createRunFollowUp' ? notQueued(asked, id, seen) : violation(`${id} does not exist`, id)
  const transitions = seen.journal.get(id) ?? []
  switch (asked.operation) {
    case 'createAgentRun':
    case 'createRunFollowUp':
    case 'startWorkflow':
    case 'retryRun':
      return [...differs(asked, seen), ...ownerless(id, seen)]
    case 'startBuild':
    case 'rebuild':
      return differs(asked, seen)
    case 'createWorkflow': {
      const rules = actor.init.rules as { overlapPolicy: string }
      return rules.overlapPolicy === asked.input.overlapPolicy
        ? []
        : violation(`its policy is ${rules.overlapPolicy}`, id)
    }
    case 'publishWorkflow':
      return happened(transitions, 'publish', asked) ? [] : violation('it was not published then', id)
    case 'cancelRun':
    case 'cancelBuild':
      if (!actor.terminal) return violation(`it is ${actor.status} at the end`, id)
      return happened(transitions, 'cancel', asked) || hadStatus(transitions, ['CANCELED', 'CANCELING'], asked)
        ? []
        : violation('it was never canceled', id)
    case 'pauseRun':
    case 'resumeRun':
    case 'pauseWorktreeQueue':
    case 'resumeWorktreeQueue': {
      const isPause = asked.operation.startsWith('pause')
      const isTrue =
        happened(transitions, isPause ? 'pause' : 'resume', asked) || wasPaused(transitions, asked, isPause)
      return isTrue ? [] : violation(`${id} was not ${isPause ? 'paused' : 'resumed'}`, id)
    }
    case 'decideApproval': {
      const { decision } = (actor.context.approval ?? {}) as { readonly decision?: string }
      return decision === asked.input.decision ? [] : violation(`the stored decision is ${decision}`, id)
    }
    case 'updateRunConfiguration': {
      const { worktreeConcurrencyLimit } = asked.input.configuration as { worktreeConcurrencyLimit: number }
      const set = during(transitions, asked).some(
        ({ event, payload }) => event === 'configure' && payload.limit === worktreeConcurrencyLimit,
      )
      return set ? [] : violation('the limit was not changed then', id)
    }
    default:
      return []
  }
}

/** A follow-up whose run does not exist in the end is queued in its session, or was withdrawn. */
function notQueued({ input }: Accepted, id: string, { actors, followUps }: Seen): Violation[] {
  const known = followUps.get(String(actors.get(String(input.runId))?.init.ownerId))
  const isKnown = known !== undefined && (known.queued.includes(id) || known.withdrawn.includes(id))
  return isKnown ? [] : violation(`${id} does not exist and is not queued`, id)
}

/** If the answer has neither a run nor a queued follow-up, it answers a repeat, and the follow-up must have been withdrawn. */
function notWithdrawn({ input }: Accepted, { asked, followUps }: Seen): Violation[] {
  const former = asked.find(
    (other) =>
      other.input.idempotencyKey === input.idempotencyKey &&
      other.answer.type === 'accepted' &&
      other.answer.object.id !== undefined,
  )
  const id = former?.answer.type === 'accepted' ? String(former.answer.object.id) : ''
  const isWithdrawn = [...followUps.values()].some(({ withdrawn }) => withdrawn.includes(id))
  return isWithdrawn
    ? []
    : violation('the answer has neither a run nor a queued follow-up, and the follow-up was not withdrawn', id)
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
  if (operation === 'startBuild') {
    const { buildConfigurationId, worktreeId, source, exclusiveWorktree, worktreeConcurrencyLimit } = input
    Object.assign(wanted, { buildConfigurationId, worktreeId })
    const { limit, exclusive } = (init.slot ?? {}) as { readonly limit?: number; readonly exclusive?: boolean }
    const isWanted = source === undefined || (limit === worktreeConcurrencyLimit && exclusive === exclusiveWorktree)
    if ((init.slot !== undefined) !== (source === 'WORKTREE') || !isWanted)
      return violation(`${id} has the slot ${JSON.stringify(init.slot)}`, id)
  }
  if (operation === 'rebuild') {
    const former = actors.get(String(input.buildId))?.init
    Object.assign(wanted, { rebuildOf: input.buildId, worktreeId: former?.worktreeId })
  }
  if (operation === 'retryRun') {
    const { ownerId, worktreeId } = actors.get(String(input.runId))?.init ?? {}
    Object.assign(wanted, { retryOf: input.runId, ownerId, worktreeId })
  }
  if (operation === 'createRunFollowUp') wanted.ownerId = actors.get(String(input.runId))?.init.ownerId
  return Object.entries(wanted).flatMap(([name, value]) =>
    init[name] === value
      ? []
      : violation(`${id} has ${name} ${JSON.stringify(init[name])} instead of ${JSON.stringify(value)}`, id),
  )
}

function ownerless(id: string, { actors }: Seen): Violation[] {
  const owner = String(actors.get(id)?.init.ownerId)
  return actors.has(owner) ? [] : violation(`${id} is a run of ${owner}, which does not exist`, id)
}

function untrueRefusal(asked: Refused, seen: Seen): Violation[] {
  const { code, details, message } = asked.answer
  const id = String(
    asked.input.runId ??
      asked.input.buildId ??
      asked.input.stepId ??
      asked.input.workflowId ??
      asked.input.worktreeId ??
      '',
  )
  switch (code) {
    case 'NOT_FOUND':
      // The run of a queued follow-up has its ID before it exists.
      return existed(id, asked.sentAt, seen) ? violation(`${id} exists`, id) : []
    case 'CONFLICT':
      if (details.field === 'expectedRevision') return untrueRevision(asked, id, seen)
      return details.field === 'idempotencyKey' ? untrueConflict(asked, seen) : violation(`unexpected: ${message}`, id)
    case 'FAILED_PRECONDITION':
      if (editsOfFollowUps.has(asked.operation)) return stillQueued(asked, id, seen)
      return untruePrecondition(asked, id, seen)
    default:
      return violation(`unexpected: ${message}`, id)
  }
}

const editsOfFollowUps = new Set(['updateQueuedFollowUp', 'withdrawQueuedFollowUp'])

/** The follow-up must have started, or have been withdrawn. */
function stillQueued({ input, answeredAt }: Refused, id: string, { actors, journal }: Seen): Violation[] {
  const startedAt = Number(actors.get(id)?.init.createdAt ?? Number.POSITIVE_INFINITY)
  const withdrawal = (journal.get(String(input.sessionId)) ?? []).find(
    ({ event, payload }) => event === 'followUpWithdrawn' && payload.runId === id,
  )
  const leftAt = Math.min(startedAt, withdrawal?.at ?? Number.POSITIVE_INFINITY)
  return leftAt <= answeredAt + clockDifferenceMs ? [] : violation(`${id} was queued then`, id, String(input.sessionId))
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
  return isAlways ? violation(`${id} was at revision ${least} then`, id) : []
}

function existed(id: string, at: number, { actors, journal }: Seen): boolean {
  const created = journal.get(id)?.[0]?.at ?? 0
  return actors.has(id) && created <= at
}

/** Another request with this key and another input must have been sent before the refusal arrived. */
function untrueConflict(asked: Refused, { asked: all }: Seen): Violation[] {
  const isUsedTwice = all.some(
    (other) =>
      other.input !== asked.input &&
      other.input.idempotencyKey === asked.input.idempotencyKey &&
      other.sentAt < asked.answeredAt &&
      JSON.stringify(other.input) !== JSON.stringify(asked.input),
  )
  return isUsedTwice ? [] : violation('the key was never used with another input')
}

function untruePrecondition(asked: Refused, id: string, seen: Seen): Violation[] {
  const { details, message } = asked.answer
  if (typeof details.state === 'string' && typeof details.id === 'string') {
    const transitions = seen.journal.get(details.id) ?? []
    return hadStatus(transitions, [details.state], asked)
      ? []
      : violation(`${details.id} was not ${details.state} then`, details.id)
  }
  if (asked.operation === 'rebuild')
    return hadStatus(seen.journal.get(id) ?? [], [String(details.state)], asked)
      ? []
      : violation(`${id} was not ${details.state} then`, id)
  if (asked.operation === 'retryRun' && typeof details.runId === 'string')
    return untrueRetryRefusal(details.runId, asked, seen)
  if (asked.operation === 'decideApproval') return untrueDecisionRefusal(asked, id, seen)
  if (typeof details.runId === 'string') return turnWasOver(details.runId, asked, seen)
  if (/follow-up/.test(message)) return seen.actors.get(id)?.init.kind === 'WORKFLOW' ? [] : violation(message, id)
  const draft = /^The workflow is (\w+)/.exec(message)
  if (draft?.[1] !== undefined) {
    return hadStatus(seen.journal.get(id) ?? [], [draft[1]], asked) ? [] : violation(`it was not ${draft[1]} then`, id)
  }
  // The evidence does not have the number of runs that waited then. It has the queue of a workflow only at the end.
  if (/wait already/.test(message)) return []
  return violation(`unexpected: ${message}`, id)
}

/**
 * A refusal with `state` is right if the run was in that state. A refusal without it is right if the run had succeeded: then it has no
 * failed step.
 */
function untrueRetryRefusal(runId: string, asked: Refused, { journal }: Seen): Violation[] {
  const { state = 'SUCCEEDED' } = asked.answer.details
  return hadStatus(journal.get(runId) ?? [], [String(state)], asked)
    ? []
    : violation(`${runId} was not ${state} then`, runId)
}

/** A decision that is stored already is accepted again. */
function untrueDecisionRefusal(asked: Refused, id: string, { actors, journal }: Seen): Violation[] {
  const { decision } = (actors.get(id)?.context.approval ?? {}) as { readonly decision?: string }
  if (decision === asked.input.decision) return violation(`${decision} is the stored decision`, id)
  const { state } = asked.answer.details
  return hadStatus(journal.get(id) ?? [], [String(state)], asked) ? [] : violation(`it was not ${state} then`, id)
}

/** A turn is active until its plan or session has received the end of its run. */
function turnWasOver(runId: string, asked: Refused, { actors, journal }: Seen): Violation[] {
  const owner = String(actors.get(runId)?.init.ownerId)
  const heard = (journal.get(owner) ?? []).find(
    ({ event, payload }) => event === 'runChanged' && payload.runId === runId && terminal.has(String(payload.status)),
  )
  return heard === undefined || heard.at >= asked.lastSentAt ? [] : violation(`${runId} had ended then`, runId, owner)
}

const terminal = new Set(['SUCCEEDED', 'FAILED', 'CANCELED', 'TIMED_OUT', 'LOST', 'SKIPPED'])

/**
 * The program uses the time of its database. At each start it estimates how far its own clock is from that time. On a busy machine the
 * estimate may be wrong by this much, in milliseconds.
 */
const clockDifferenceMs = 1_000

/** The longest time between a transition and its commit, on a busy machine. */
const commitMs = 1_000

/** Transitions that the request may have caused, from its first try on: a try whose answer was lost may have caused one. */
const during = (transitions: readonly SeenTransition[], { sentAt, answeredAt }: Asked): readonly SeenTransition[] =>
  transitions.filter(({ at }) => at >= sentAt - clockDifferenceMs && at <= answeredAt + clockDifferenceMs)

const happened = (transitions: readonly SeenTransition[], event: string, asked: Asked): boolean =>
  during(transitions, asked).some((transition) => transition.event === event)

/**
 * The transitions whose result readers could see at some time between the last try and its answer. Readers see a status until the next
 * transition is committed, which is up to `commitMs` after the time of that transition.
 */
function visibleTransitions(
  transitions: readonly SeenTransition[],
  { lastSentAt, answeredAt }: Asked,
): readonly SeenTransition[] {
  return transitions.filter(({ at }, index) => {
    const until = (transitions[index + 1]?.at ?? Number.POSITIVE_INFINITY) + commitMs
    return at <= answeredAt && until >= lastSentAt
  })
}

const hadStatus = (transitions: readonly SeenTransition[], statuses: readonly string[], asked: Asked): boolean =>
  visibleTransitions(transitions, asked).some(({ status }) => statuses.includes(status))

/** Only these transitions begin and end a pause. An actor is created without one. */
const changesPause = ({ event }: SeenTransition, index: number): boolean =>
  index === 0 || event === 'pause' || event === 'resume'

const wasPaused = (transitions: readonly SeenTransition[], asked: Asked, wanted: boolean): boolean =>
  visibleTransitions(transitions.filter(changesPause), asked).some(({ event }) => (event === 'pause') === wanted)

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
    return before === id ? [] : violation(`${key} returned ${before} and then ${id}`, before, id)
  })
}
