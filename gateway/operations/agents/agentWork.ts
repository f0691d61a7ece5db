import * as v from 'valibot'
import { jobSchema } from '../../../spec/agents/jobObject.ts'
import { jobKind } from '../../../spec/agents/jobs.ts'
import { id, named } from '../../../spec/core/types.ts'
import { computedConnection } from '../core/computedConnection.ts'
import type { Additions, Relations } from '../objectType.ts'
import { jobType } from './jobObject.ts'

const vitals = named(
  'AgentVitals',
  'The load of an agent’s machine in the last heartbeat. While the agent is connected, it is at most about 20 s old.',
  v.object({
    load: v.pipe(
      v.number(),
      v.description(
        'The average number of processes that ran or waited for a processor in the last minute. Compare it with the number of cores.',
      ),
    ),
    freeMemoryBytes: v.number(),
  }),
)

const agentJob = named(
  'AgentLiveJob',
  'A job of an agent that has not ended.',
  v.object({
    id,
    kind: jobKind,
    status: v.string(),
    runId: v.pipe(
      v.nullable(id),
      v.description('The ID of the run that the job belongs to. Null if the job belongs to no run.'),
    ),
    title: v.pipe(v.nullable(v.string()), v.description('The title of the run. Null if the job belongs to no run.')),
  }),
)

const vitalsRelation = {
  vitals: {
    type: 'derived',
    output: vitals,
    nullable: true,
    description: 'The load of the agent’s machine. Null if the agent has not reported it yet.',
    load: async (parents, { views }) => {
      const ids = parents.map((parent) => String(parent.id))
      const known = await views.vitals(ids)
      return ids.map((one) => known.get(one) ?? null)
    },
  },
} as const satisfies Relations

/** Fields of the GraphQL object. */
export const agentWork = {
  ...vitalsRelation,
  jobs: computedConnection('Job', jobSchema, {
    description: 'The agent’s jobs that have not ended, oldest first.',
    positionOf: ({ id }) => id,
    load: async (parents, context) => {
      const ids = parents.map((parent) => String(parent.id))
      const jobs = Map.groupBy(await context.views.living('job', ids), ({ columns }) => columns.agentId)
      return ids.map((agentId) => (jobs.get(agentId) ?? []).map((row) => jobType.fromRow(row, context)))
    },
  }),
} as const satisfies Relations

/** The fields that tools return in addition with an agent. */
export const agentWorkForTools = {
  ...vitalsRelation,
  jobs: {
    type: 'derived',
    output: v.array(agentJob),
    nullable: false,
    description: 'The jobs that are offered to the agent or that it executes, oldest first.',
    load: async (parents, { views }) => {
      const ids = parents.map((parent) => String(parent.id))
      const jobs = await views.living('job', ids)
      const runs = await views.getMany(
        'run',
        jobs.flatMap(({ columns }) => columns.scopeId ?? []),
      )
      const shown = Map.groupBy(jobs, ({ columns }) => columns.agentId)
      return ids.map((one) =>
        (shown.get(one) ?? []).map((job) => {
          const run = runs.get(job.columns.scopeId ?? '')
          return {
            id: job.id,
            kind: job.init.kind,
            status: job.columns.status,
            runId: run?.id ?? null,
            title: run?.init.title ?? null,
          }
        }),
      )
    },
  },
} as const satisfies Additions
