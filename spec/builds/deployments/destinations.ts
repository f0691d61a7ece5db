/** The machines to which a build can be deployed, and the destinations on one of them. */
import * as v from 'valibot'
import { destinationsMax as devicesMax } from '../../agents/agentSession.ts'
import { connectionStatus } from '../../agents/agents.ts'
import { query } from '../../core/operation.ts'
import { atMost, dateTime, id, idOf, int, named } from '../../core/types.ts'
import { artifactsMax } from '../artifacts.ts'
import { destinationCommandsMax } from '../configurationContent.ts'
import { destinationKinds } from './deploymentEnums.ts'

export const destinationKind = named(
  'BuildDestinationKind',
  'The kind of a destination. HOST: the artifact is started as a program on the machine. ANDROID_DEVICE, IOS_SIMULATOR, IOS_DEVICE: it is installed on a device of the machine, and started. COMMAND: a command of the build configuration deploys it.',
  v.picklist(destinationKinds),
)

/** The machine itself, its devices, and the commands of the configuration. */
const destinationsMax = 1 + devicesMax + destinationCommandsMax

export const buildRunDestination = named(
  'BuildRunDestination',
  'A place on a machine to which a build can be deployed.',
  v.object({
    kind: destinationKind,
    id: v.pipe(
      v.nullable(v.string()),
      v.description('The serial number or UDID of a device, or the name of a command. Null for HOST.'),
    ),
    name: v.string(),
    problem: v.pipe(
      v.nullable(v.string()),
      v.description('The reason, as a sentence, why the build cannot be deployed there now. Null if it can.'),
    ),
    needsArtifact: v.pipe(v.boolean(), v.description('Whether a file of the build is deployed.')),
    artifactIds: v.pipe(
      atMost(artifactsMax, id),
      v.description('The artifacts that can be deployed there. `runBuild` needs `artifactId` if they are several.'),
    ),
  }),
)

export const inspectBuildRunDestinations = query({
  name: 'inspectBuildRunDestinations',
  description: 'Returns the places on a machine to which a build can be deployed, and the others with the reason.',
  access: 'people',
  cost: 20,
  tool: {
    group: 'builds',
    title: 'List the destinations of a build',
    description:
      'Returns the places on a machine to which a build can be deployed with `run_build`: the machine itself, its devices and simulators, and the commands of the build configuration. `problem` is null if it is possible now. ' +
      '`build_run_agents` returns the machines.',
  },
  input: v.object({
    buildId: idOf('build'),
    agentId: v.pipe(v.nullish(idOf('agent')), v.description('The machine. Default: the one that has built it.')),
  }),
  output: named(
    'BuildRunDestinations',
    'The places on one machine to which a build can be deployed.',
    v.object({
      agentId: id,
      devicesAt: v.pipe(
        v.nullable(dateTime),
        v.description('The time at which the machine last reported a change of its devices. Null if it never did.'),
      ),
      destinations: atMost(destinationsMax, buildRunDestination),
    }),
  ),
})

export const buildRunAgents = query({
  name: 'buildRunAgents',
  description: 'Returns the machines to which a build can be deployed, and the others with the reason.',
  access: 'people',
  tool: {
    group: 'builds',
    title: 'List the machines for a build',
    description:
      'Returns the machines to which a build can be deployed with `run_build`, and the others with the reason in `problem`. `inspect_build_run_destinations` returns the places on one machine.',
  },
  input: v.object({ buildId: idOf('build') }),
  output: v.array(
    named(
      'BuildRunAgent',
      'A machine, and whether a build can be deployed to it.',
      v.object({
        agentId: id,
        name: v.string(),
        hostname: v.string(),
        platform: v.string(),
        arch: v.string(),
        connectionStatus,
        hasBuilt: v.pipe(v.boolean(), v.description('Whether the build was executed on it.')),
        eligible: v.pipe(v.boolean(), v.description('Whether the build can be deployed to it now.')),
        problem: v.pipe(
          v.nullable(v.string()),
          v.description('The reason, as a sentence, why it is not eligible. Null if it is.'),
        ),
        destinationCount: v.pipe(int, v.description('The number of destinations that can be used now.')),
      }),
    ),
  ),
})
