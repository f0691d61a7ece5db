/** A schedule as the lists show it, and the operations on it. */
import { graphql, type ResultOf } from '../../data/graphql.ts'

export const scheduleFragment = graphql(`fragment ScheduleFields on Schedule {
  id name status workflowId worktreeId cron timeZone jitterSeconds catchUpWindowSeconds startAt endAt inputs nextTimes
  isPaused pauseReason firedCount missedCount lastFiring { firedAt runId problem { message } } problem { message } revision
  workflow { id name } worktree { id branch path }
}`)

export type Schedule = ResultOf<typeof scheduleFragment>

export const pauseMutation = graphql(
  'mutation ($input: PauseScheduleInput!) { pauseSchedule(input: $input) { schedule { id } } }',
)
export const resumeMutation = graphql(
  'mutation ($input: ResumeScheduleInput!) { resumeSchedule(input: $input) { schedule { id } } }',
)
export const triggerMutation = graphql(
  'mutation ($input: TriggerScheduleInput!) { triggerSchedule(input: $input) { schedule { id } } }',
)
export const deleteMutation = graphql(
  'mutation ($input: DeleteScheduleInput!) { deleteSchedule(input: $input) { schedule { id } } }',
)
export const createMutation = graphql(
  'mutation ($input: CreateScheduleInput!) { createSchedule(input: $input) { schedule { id } } }',
)
export const updateMutation = graphql(
  'mutation ($input: UpdateScheduleInput!) { updateSchedule(input: $input) { schedule { id } } }',
)
export const backfillMutation = graphql(
  'mutation ($input: BackfillScheduleInput!) { backfillSchedule(input: $input) { schedule { id } } }',
)
