import * as v from 'valibot'
import { jobSchema } from '../../../spec/agents/jobObject.ts'
import { jobKind } from '../../../spec/agents/jobs.ts'
import { id, named } from '../../../spec/core/types.ts'
import { computedConnection } from '../core/computedConnection.ts'
import type { Additions, Relations } from '../objectType.ts'
import { jobType } from './jobObject.ts'

const vitals = named(
  'AgentVitals',
  'What an agent said of its machine with its last heartbeat, at most some 20 s ago while it is connected.',
  v.object({
    load: v.pipe(
      v.number(),
      v.description('Processes that run or wait to run, over the last minute; compare it with the machine’s cores.'),
    ),
    freeMemoryBytes: v.number(),
  }),
)

const agentJob = named(
  'AgentLiveJob',
  'A piece of work that an agent has, and that is not over.',
  v.object({
    id,
    kind: jobKind,
    status: v.string(),
    runId: v.pipe(v.nullable(id), v.description('The run that it is for.')),
    title: v.pipe(v.nullable(v.string()), v.description('The run’s.')),
  }),
)

const vitalsRelation = {
  vitals: {
    type: 'derived',
    output: vitals,
    nullable: true,
    description: 'How its machine bears its work; null where it has not said so yet.',
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
    description: 'The jobs that it has and that have not ended, oldest first.',
    positionOf: ({ id }) => id,
    load: async (parents, context) => {
      const ids = parents.map((parent) => String(parent.id))
      const jobs = Map.groupBy(await context.views.living('job', ids), ({ columns }) => columns.agentId)
      return ids.map((agentId) => (jobs.get(agentId) ?? []).map((row) => jobType.fromRow(row, context)))
    },
  }),
} as const satisfies Relations

/** What tools return with an agent. */
export const agentWorkForTools = {
  ...vitalsRelation,
  jobs: {
    type: 'derived',
    output: v.array(agentJob),
    nullable: false,
    description: 'What it does, or is about to: the jobs that are offered to it or that it runs, oldest first.',
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
