import type { DeploymentInit } from '../../../../machines/builds/deployments/deploymentActions.ts'
import type { TypedRow } from '../../../../machines/rows.ts'
import {
  defaultDeploymentTimeoutSeconds,
  runBuild,
  stopDeployment,
} from '../../../../spec/builds/deployments/deployments.ts'
import { Failure } from '../../../../spec/core/failure.ts'
import { principalName } from '../../../../spec/core/principal.ts'
import { oneMessage, requireKind } from '../../core/replies.ts'
import { requireRow } from '../../core/rows.ts'
import { handle } from '../../handler.ts'
import type { RequestContext } from '../../requestContext.ts'
import type { TypedViews } from '../../typedViews.ts'
import { nameOf } from '../artifacts.ts'
import { deploymentObject } from './deploymentObjects.ts'
import { type Destination, listDestinations, readAgentDestinations, readUsableArtifacts } from './readDestinations.ts'

export const runBuildHandlers = [
  handle(runBuild, ['views', 'ids'], {
    touches: async ({ buildId }, { views }) => {
      const { requestedBy, repositoryId } = (await requireRow(views, 'build', buildId)).init
      return { requesters: [requestedBy], repositoryId }
    },
    repeat: {
      message: 0,
      answer: ({ row }) => ({ deployment: deploymentObject(requireKind('deployment', row)) }),
    },
    translate: async (input, context) => {
      const { views, ids, principal, now } = context
      const build = await requireRow(views, 'build', input.buildId)
      const { agentId: sourceAgentId, repositoryId, content, serverUrls } = build.init
      const targetAgentId = input.targetAgentId ?? sourceAgentId
      if (targetAgentId !== sourceAgentId) await requireReach(targetAgentId, repositoryId, context)
      const [source, target, reported, artifacts] = await Promise.all([
        requireRow(views, 'agent', sourceAgentId),
        requireRow(views, 'agent', targetAgentId),
        readAgentDestinations(targetAgentId, views),
        readUsableArtifacts(build.id, views),
      ])
      const places = listDestinations({ build, source, target, reported, artifacts })
      const destination = requireDestination(input.destination, places, target)
      const artifact = await chooseArtifact(input.artifactId ?? undefined, destination, build.id, views)
      const { kind, id, name, command } = destination
      const create: DeploymentInit = {
        ...{ buildId: build.id, buildName: content.name, buildNumber: build.init.number, repositoryId, serverUrls },
        commit: build.context.commit ?? build.init.requestedCommit,
        environment: content.environment,
        destination: { kind, id, name, command },
        artifact: artifact === undefined ? null : toFile(artifact),
        ...{ sourceAgentId, targetAgentId },
        timeoutSeconds: input.timeoutSeconds ?? defaultDeploymentTimeoutSeconds,
        number: await ids.nextNumber('DEPLOYMENT'),
        requestedBy: principalName(principal),
        createdAt: now,
      }
      const to = { kind: 'deployment', id: ids.newId('deployment') } as const
      return oneMessage({ to, event: { type: 'create' }, create }, (row) => ({ deployment: deploymentObject(row) }))
    },
  }),
  handle(stopDeployment, ['views'], {
    touches: async ({ deploymentId }, { views }) => {
      const { requestedBy, repositoryId } = (await requireRow(views, 'deployment', deploymentId)).init
      return { requesters: [requestedBy], repositoryId }
    },
    translate: async ({ deploymentId, reason }, { views }) => {
      await requireRow(views, 'deployment', deploymentId)
      const event = { type: 'stop', ...(reason ? { code: 'STOPPED_BY_REQUEST', message: reason } : {}) }
      return oneMessage({ to: { kind: 'deployment', id: deploymentId }, event }, (row) => ({
        deployment: deploymentObject(row),
      }))
    },
  }),
]

/**
 * A run deploys only to machines that have its repository, where it could start a run too.
 * @throws Failure FORBIDDEN
 */
async function requireReach(
  agentId: string,
  repositoryId: string,
  { principal, views }: RequestContext<'views'>,
): Promise<void> {
  if (principal.kind !== 'run') return
  const codebases = await views.living('codebase', [agentId])
  if (codebases.some(({ context }) => context.repositoryId === repositoryId)) return
  throw new Failure('FORBIDDEN', 'targetAgentId: a run deploys only to machines that have its repository.', {
    details: { field: 'targetAgentId' },
  })
}

/** @throws Failure BAD_USER_INPUT, FAILED_PRECONDITION */
function requireDestination(
  given: { readonly kind: Destination['kind']; readonly id?: string | null | undefined },
  places: readonly Destination[],
  { init }: TypedRow<'agent'>,
): Destination {
  const id = given.id ?? null
  const found = places.find((place) => place.kind === given.kind && place.id === id)
  if (found === undefined) {
    const ids = places.filter(({ kind }) => kind === given.kind).map((place) => place.id ?? 'no id')
    const known = ids.length === 0 ? 'none of that kind' : ids.slice(0, 10).join(', ')
    throw new Failure(
      'BAD_USER_INPUT',
      `destination: ${init.name} has no ${given.kind}${id === null ? ' without an id' : ` ${id}`}. It has ${known}. \`inspectBuildRunDestinations\` returns all.`,
      { details: { field: 'destination' } },
    )
  }
  if (found.problem !== null)
    throw new Failure('FAILED_PRECONDITION', `The build cannot be deployed to ${found.name}. ${found.problem}`, {
      details: { field: 'destination' },
    })
  return found
}

/** @throws Failure BAD_USER_INPUT, NOT_FOUND, FAILED_PRECONDITION */
async function chooseArtifact(
  given: string | undefined,
  { name, needsArtifact, artifacts }: Destination,
  buildId: string,
  views: TypedViews,
): Promise<TypedRow<'buildArtifact'> | undefined> {
  if (given !== undefined) {
    const chosen = artifacts.find(({ id }) => id === given)
    if (chosen !== undefined) return chosen
    const { init, columns } = await requireRow(views, 'buildArtifact', given)
    const reason =
      init.buildId !== buildId
        ? 'it belongs to another build.'
        : `it is ${columns.status}, and has the name ${nameOf(init.path)}.`
    throw new Failure('BAD_USER_INPUT', `artifactId: ${name} cannot use ${given}: ${reason}`, {
      details: { field: 'artifactId' },
    })
  }
  if (!needsArtifact) return undefined
  if (artifacts.length === 1) return artifacts[0]
  const some = artifacts
    .slice(0, 10)
    .map(({ id, init }) => `${init.path} (${id})`)
    .join(', ')
  throw new Failure(
    'BAD_USER_INPUT',
    `artifactId: ${name} can use ${artifacts.length} artifacts of the build. Choose one: ${some}${artifacts.length > 10 ? ' …' : ''}.`,
    { details: { field: 'artifactId' } },
  )
}

function toFile({ id, init }: TypedRow<'buildArtifact'>): DeploymentInit['artifact'] {
  const { path, size, sha256 } = init
  return { id, path, name: nameOf(path), size, sha256 }
}
