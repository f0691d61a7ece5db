import type * as v from 'valibot'
import type { connectionStatus } from '../../../../spec/agents/agents.ts'
import { buildRunAgents, inspectBuildRunDestinations } from '../../../../spec/builds/deployments/destinations.ts'
import { toDateTime } from '../../../../spec/core/types.ts'
import { everyRow } from '../../core/everyRow.ts'
import { requireRow } from '../../core/rows.ts'
import { handle } from '../../handler.ts'
import {
  describeUnavailable,
  listDestinations,
  readAgentDestinations,
  readUsableArtifacts,
} from './readDestinations.ts'

/** The number of agents whose devices are read concurrently. */
const atOnce = 100

export const destinationHandlers = [
  handle(inspectBuildRunDestinations, ['views'], {
    read: async ({ buildId, agentId: given }, { views }) => {
      const build = await requireRow(views, 'build', buildId)
      const agentId = given ?? build.init.agentId
      const [source, target, reported, artifacts] = await Promise.all([
        requireRow(views, 'agent', build.init.agentId),
        requireRow(views, 'agent', agentId),
        readAgentDestinations(agentId, views),
        readUsableArtifacts(buildId, views),
      ])
      const destinations = listDestinations({ build, source, target, reported, artifacts })
      return {
        agentId,
        devicesAt: reported === undefined ? null : toDateTime(reported.at),
        destinations: destinations.map(({ kind, id, name, problem, needsArtifact, artifacts: usable }) => ({
          ...{ kind, id, name, problem, needsArtifact },
          artifactIds: usable.map((row) => row.id),
        })),
      }
    },
  }),
  handle(buildRunAgents, ['views'], {
    listCounts: async (_, { views }) => ({ items: await views.count({ kind: 'agent', terminal: false }) }),
    read: async ({ buildId }, { views }) => {
      const build = await requireRow(views, 'build', buildId)
      const [source, artifacts, agents] = await Promise.all([
        requireRow(views, 'agent', build.init.agentId),
        readUsableArtifacts(buildId, views),
        everyRow(views, { kind: 'agent', terminal: false }),
      ])
      const toAnswer = async (target: (typeof agents)[number]) => {
        const reported = await readAgentDestinations(target.id, views)
        const places = listDestinations({ build, source, target, reported, artifacts })
        const usable = places.filter(({ problem }) => problem === null)
        const { hostname, platform, arch } = target.context.facts
        const [only] = places
        return {
          ...{ agentId: target.id, name: target.init.name, hostname, platform, arch },
          connectionStatus: target.columns.status as v.InferInput<typeof connectionStatus>,
          hasBuilt: target.id === build.init.agentId,
          eligible: usable.length > 0,
          problem:
            usable.length > 0
              ? null
              : (describeUnavailable(target) ??
                (places.length === 1 && only !== undefined
                  ? only.problem
                  : 'None of its destinations can use the build.')),
          destinationCount: usable.length,
        }
      }
      const answers: Awaited<ReturnType<typeof toAnswer>>[] = []
      for (let from = 0; from < agents.length; from += atOnce)
        answers.push(...(await Promise.all(agents.slice(from, from + atOnce).map(toAnswer))))
      return answers.sort(
        (a, b) =>
          Number(b.hasBuilt) - Number(a.hasBuilt) ||
          Number(b.eligible) - Number(a.eligible) ||
          (a.name < b.name ? -1 : 1),
      )
    },
  }),
]
