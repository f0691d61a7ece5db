/**
 * Each acknowledged follow-up of a plan or a session becomes exactly one run with its last acknowledged text, unless it was withdrawn before.
 * The runs of a session begin in the order of the acknowledgements, one after the other.
 */
import { siblingId } from '../../../../../spec/core/ids.ts'
import { jobOf } from '../jobWork.ts'
import type { Asked, Checker, Seen, Violation } from '../seen.ts'
import { violation } from './violation.ts'

interface FollowUp {
  readonly runId: string
  readonly ownerId: string
  readonly sentAt: number
  readonly answeredAt: number
  /** The texts that it may have. Several, if the answer to an edit was lost. */
  readonly texts: ReadonlySet<string>
  /** Every text that it had or may have had. */
  readonly allTexts: ReadonlySet<string>
  readonly isWithdrawn: 'YES' | 'NO' | 'MAYBE'
}

export const followUpsHold: Checker = (seen) => {
  const followUps = readFollowUps(seen)
  return [
    ...followUps.flatMap((one) => [...misplaced(one, seen), ...changed(one, seen), ...doubled(one, seen)]),
    ...outOfOrder(followUps, seen),
    ...overlapping(seen),
  ]
}

function readFollowUps({ asked, actors }: Seen): readonly FollowUp[] {
  const found = new Map<string, FollowUp>()
  for (const { operation, input, answer, sentAt, answeredAt } of asked) {
    if (operation !== 'createRunFollowUp' || answer.type !== 'accepted' || answer.object.id === undefined) continue
    const runId = String(answer.object.id)
    // A repeat of the request has the same answer.
    if (found.has(runId)) continue
    const ownerId = String(actors.get(String(input.runId))?.init.ownerId)
    found.set(runId, { runId, ownerId, sentAt, answeredAt, ...applyChanges(runId, String(input.prompt), asked) })
  }
  return [...found.values()]
}

/** Each follow-up is changed by one writer, which sends one request after the other. */
function applyChanges(runId: string, text: string, asked: readonly Asked[]) {
  let texts = new Set([text])
  const allTexts = new Set([text])
  let isWithdrawn: FollowUp['isWithdrawn'] = 'NO'
  for (const { operation, input, answer, tries } of asked) {
    if (input.runId !== runId) continue
    // A try whose answer was lost may have taken effect, so the last answer may be a refusal.
    const isUnclear = answer.type === 'unknown' || (answer.type === 'refused' && tries > 1)
    if (operation === 'updateQueuedFollowUp') {
      const next = String(input.prompt)
      if (answer.type === 'accepted') texts = new Set([next])
      else if (isUnclear) texts.add(next)
      if (answer.type === 'accepted' || isUnclear) allTexts.add(next)
    }
    if (operation === 'withdrawQueuedFollowUp') {
      if (answer.type === 'accepted') isWithdrawn = 'YES'
      else if (isUnclear && isWithdrawn === 'NO') isWithdrawn = 'MAYBE'
    }
  }
  return { texts, allTexts, isWithdrawn }
}

function misplaced({ runId, ownerId, isWithdrawn }: FollowUp, { actors, followUps }: Seen): Violation[] {
  const isRun = actors.has(runId)
  const isQueued = followUps.get(ownerId)?.queued.includes(runId) ?? false
  if (isRun && isQueued) return violation(`the follow-up ${runId} is a run and still queued`, runId, ownerId)
  if (isWithdrawn === 'YES') {
    if (isRun) return violation(`the follow-up ${runId} was withdrawn and became a run`, runId, ownerId)
    return isQueued ? violation(`the follow-up ${runId} was withdrawn and is still queued`, runId, ownerId) : []
  }
  if (isRun || isWithdrawn === 'MAYBE') return []
  if (!isQueued) return violation(`the follow-up ${runId} was acknowledged and is lost`, runId, ownerId)
  const isPaused = actors.get(ownerId)?.context.isQueuePaused === true
  return isPaused ? [] : violation(`the follow-up ${runId} is queued, and nothing starts it`, runId, ownerId)
}

function changed({ runId, texts }: FollowUp, { actors }: Seen): Violation[] {
  const run = actors.get(runId)
  if (run === undefined) return []
  const { prompt } = run.init.spec as { readonly prompt?: string }
  // The prompt of a plan has the former revision too.
  const fits = [...texts].some((text) => (run.init.kind === 'PLAN' ? prompt?.includes(text) : prompt === text))
  if (fits) return []
  return violation(`${runId} has the text ${JSON.stringify(prompt)} instead of ${[...texts].join(' or ')}`, runId)
}

/** The texts of follow-ups are unique, so a second run with one of them is the same follow-up again. */
function doubled({ runId, ownerId, allTexts }: FollowUp, { actors, lines }: Seen): Violation[] {
  const others = [...actors.values()].filter(
    ({ id, kind, init }) =>
      kind === 'run' && id !== runId && init.ownerId === ownerId && allTexts.has(String(Object(init.spec).prompt)),
  )
  const steps = new Set([...allTexts].map((text) => text.split(' ')[3]))
  const jobs = new Set(
    lines.filter(({ what, step }) => what === 'BEGIN' && steps.has(step)).map(({ mark }) => jobOf(mark)),
  )
  return [
    ...others.flatMap(({ id }) => violation(`the follow-up ${runId} became the run ${id} too`, runId, id)),
    ...(jobs.size > 1 ? violation(`the follow-up ${runId} was executed by ${[...jobs].join(' and ')}`, runId) : []),
  ]
}

function outOfOrder(followUps: readonly FollowUp[], { journal }: Seen): Violation[] {
  const violations: Violation[] = []
  for (const [ownerId, own] of Map.groupBy(followUps, (one) => one.ownerId)) {
    const turns = firstReports(ownerId, { journal })
    const begun = own.filter(({ runId }) => turns.has(runId))
    for (const later of begun) {
      const passed = begun.find(
        (earlier) =>
          earlier.answeredAt < later.sentAt && (turns.get(earlier.runId) ?? 0) > (turns.get(later.runId) ?? 0),
      )
      if (passed === undefined) continue
      const what = `the follow-up ${later.runId} began before ${passed.runId}, which was acknowledged before it was sent`
      violations.push(...violation(what, later.runId, passed.runId, ownerId))
    }
  }
  return violations
}

/** The sequence at which a session received the first report of each of its runs. Unlike times, it does not depend on clocks. */
function firstReports(ownerId: string, { journal }: Pick<Seen, 'journal'>): ReadonlyMap<string, number> {
  const first = new Map<string, number>()
  for (const { event, payload, seq } of journal.get(ownerId) ?? []) {
    const runId = String(payload.runId)
    if (event === 'runChanged' && !first.has(runId)) first.set(runId, seq)
  }
  return first
}

/** The commands of two turns of a session never run at the same time. */
function overlapping({ lines, actors }: Seen): Violation[] {
  const times = new Map<string, { readonly runId: string; readonly began: number; ended: number }>()
  for (const { mark, at } of lines) {
    const runId = siblingId('run', jobOf(mark))
    const known = times.get(runId)
    times.set(runId, { runId, began: Math.min(known?.began ?? at, at), ended: Math.max(known?.ended ?? at, at) })
  }
  const sessionOf = ({ runId }: { readonly runId: string }) => {
    const { kind, ownerId } = actors.get(runId)?.init ?? {}
    return kind === 'SESSION' ? String(ownerId) : ''
  }
  return [...Map.groupBy(times.values(), sessionOf)].flatMap(([sessionId, turns]) => {
    if (sessionId === '') return []
    const inOrder = turns.toSorted((a, b) => a.began - b.began)
    return inOrder.flatMap((turn, index) => {
      const before = inOrder[index - 1]
      if (before === undefined || before.ended <= turn.began) return []
      return violation(`the turns ${before.runId} and ${turn.runId} of ${sessionId} overlap`, turn.runId, before.runId)
    })
  })
}
