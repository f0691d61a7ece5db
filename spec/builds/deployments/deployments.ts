/** Deployments of builds, and the transfers of their artifacts. */
import * as v from 'valibot'
import { connectionOf, orderByOf, pageArguments } from '../../core/connections.ts'
import { idempotencyKey } from '../../core/idempotencyKey.ts'
import { oneById } from '../../core/oneById.ts'
import { mutation, query, subscription } from '../../core/operation.ts'
import { problem } from '../../core/problem.ts'
import { dateTime, id, idOf, int, named, text } from '../../core/types.ts'
import { deploymentStatuses, transferStatuses } from './deploymentEnums.ts'
import { destinationKind } from './destinations.ts'

/** GraphQL's Int ends at 2 GiB. */
const bytes = v.pipe(v.number(), v.metadata({ scalar: 'Float' } as const), v.description('Bytes.'))

export const deploymentStatus = named(
  'DeploymentStatus',
  'The status of a deployment. CREATED: its machine has not accepted it yet. TRANSFERRING: the artifact is on its way. RUNNING: the program, the app or the command runs. INCIDENT: an effect failed and waits for an operator. SUCCEEDED, FAILED, CANCELED and LOST are final.',
  v.picklist(deploymentStatuses),
)

export const transferStatus = named(
  'ArtifactTransferStatus',
  'The status of a transfer. UPLOADING: the artifact is not stored yet. READY: the target can read it. COMPLETED: the target has it, with the right checksum. COMPLETED, FAILED and EXPIRED are final.',
  v.picklist(transferStatuses),
)

export const artifactTransferSchema = named(
  'ArtifactTransfer',
  'The state of an artifact on its way to the machine on which it is deployed.',
  v.object({
    id,
    deploymentId: id,
    artifactId: id,
    sourceAgentId: id,
    targetAgentId: id,
    status: transferStatus,
    name: v.string(),
    size: bytes,
    receivedBytes: v.pipe(bytes, v.description('The number of bytes that the target has received.')),
    problem: v.nullable(problem),
    createdAt: dateTime,
  }),
)

export const deploymentSchema = named(
  'Deployment',
  'One deployment of a build: its artifact is brought to a machine, installed and started there.',
  v.object({
    id,
    displayNumber: int,
    status: deploymentStatus,
    stopping: v.pipe(v.boolean(), v.description('Whether it was asked to stop, and its processes have not ended yet.')),
    buildId: id,
    artifactId: v.pipe(v.nullable(id), v.description('Null if the destination needs no file.')),
    artifactPath: v.nullable(v.string()),
    sourceAgentId: v.pipe(id, v.description('The agent that has built it.')),
    targetAgentId: v.pipe(id, v.description('The agent that deploys it.')),
    destination: named(
      'DeploymentDestination',
      'The place to which a build is deployed.',
      v.object({ kind: destinationKind, id: v.nullable(v.string()), name: v.string() }),
    ),
    transferId: v.pipe(v.nullable(id), v.description('Null if no file is deployed.')),
    jobId: v.pipe(
      v.nullable(id),
      v.description('The ID of its job, which has its log. Null until the job is created.'),
    ),
    requestedById: v.pipe(id, v.description('The user, API key, run or schedule that requested it.')),
    problem: v.nullable(problem),
    exitCode: v.nullable(int),
    createdAt: dateTime,
    startedAt: v.pipe(v.nullable(dateTime), v.description('The time when its machine accepted it.')),
    endedAt: v.nullable(dateTime),
  }),
)

export const deployment = query({
  ...oneById('deployment', deploymentSchema),
  tool: {
    group: 'builds',
    name: 'get_deployment',
    title: 'Get a deployment',
    description:
      'Returns one deployment of a build: status, destination, machine, the `transfer` of its file, and at its end `problem` and `exitCode`. `get_deployment_log` returns its output. SUCCEEDED, FAILED, CANCELED and LOST are final.',
  },
})

export const deployments = query({
  name: 'deployments',
  description: 'Deployments, newest first.',
  access: 'people',
  tool: {
    group: 'builds',
    name: 'get_deployments',
    title: 'List deployments',
    description: 'Lists deployments, newest first. Filter by `buildId`, `agentId` (the target) and `statuses`.',
  },
  input: v.object({
    ...pageArguments,
    orderBy: orderByOf('Deployment', ['CREATED_AT']),
    buildId: v.nullish(idOf('build')),
    agentId: v.pipe(v.nullish(idOf('agent')), v.description('The agent that deploys it.')),
    statuses: v.pipe(
      v.nullish(v.pipe(v.array(deploymentStatus), v.maxLength(deploymentStatuses.length))),
      v.description('Returns only deployments with one of these statuses. Default: any.'),
    ),
  }),
  output: connectionOf('Deployment', deploymentSchema),
})

export const deploymentStatusChanged = subscription({
  name: 'deploymentStatusChanged',
  description:
    'The deployment after each change. With `deploymentId`, the present one first; with `buildId`, those of one build.',
  access: 'people',
  input: v.object({ deploymentId: v.nullish(idOf('deployment')), buildId: v.nullish(idOf('build')) }),
  output: deploymentSchema,
})

/** The longest time that a deployment may run, seconds: 30 days. */
const longestTimeout = 30 * 86_400
export const defaultDeploymentTimeoutSeconds = 86_400

const payload = (typeName: string) => named(typeName, 'The deployment.', v.object({ deployment: deploymentSchema }))

export const runBuild = mutation({
  name: 'runBuild',
  description:
    'Deploys a build: brings an artifact to a machine, installs and starts it there. `inspectBuildRunDestinations` returns the destinations.',
  access: 'people',
  tool: {
    group: 'builds',
    title: 'Deploy a build',
    description:
      'Deploys a build: brings an artifact to a machine, installs and starts it there. `inspect_build_run_destinations` returns the destinations. Follow it with `get_deployment`; `stop_deployment` ends it.',
    openWorld: true,
  },
  input: v.object({
    buildId: idOf('build'),
    destination: v.pipe(
      named(
        'RunBuildDestinationInput',
        'A destination of `inspectBuildRunDestinations`.',
        v.object({
          kind: destinationKind,
          id: v.pipe(
            v.nullish(text({ min: 1, max: 200 })),
            v.description('The `id` of the destination. Absent for HOST.'),
          ),
        }),
      ),
    ),
    artifactId: v.pipe(
      v.nullish(idOf('buildArtifact')),
      v.description('The file that is deployed. Default: the only one that the destination can use.'),
    ),
    targetAgentId: v.pipe(
      v.nullish(idOf('agent')),
      v.description('The agent that deploys it. Default: the one that has built it.'),
    ),
    timeoutSeconds: v.pipe(
      v.nullish(v.pipe(int, v.minValue(1), v.maxValue(longestTimeout))),
      v.description(
        `The most time for which it may install and run, after the transfer. Default: ${defaultDeploymentTimeoutSeconds}.`,
      ),
    ),
    idempotencyKey,
  }),
  output: payload('RunBuildPayload'),
})

export const stopDeployment = mutation({
  name: 'stopDeployment',
  description: 'Stops a deployment. Its processes are asked to stop and are killed after 10 s.',
  access: 'people',
  tool: {
    group: 'builds',
    title: 'Stop a deployment',
    description:
      'Stops a deployment that waits or runs. Its processes are asked to stop and are killed after 10 s. An app that is installed on a device stays there.',
    destroys: true,
    idempotent: true,
  },
  input: v.object({
    deploymentId: idOf('deployment'),
    reason: v.pipe(
      v.nullish(text({ max: 500 })),
      v.description('The reason, shown in the `problem` of the deployment.'),
    ),
  }),
  output: payload('StopDeploymentPayload'),
})
