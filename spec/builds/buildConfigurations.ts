/** Build configurations: named recipes for the builds of a repository. */
import * as v from 'valibot'
import { connectionOf, orderByOf, pageArguments } from '../core/connections.ts'
import { idempotencyKey } from '../core/idempotencyKey.ts'
import { oneById } from '../core/oneById.ts'
import { mutation, query } from '../core/operation.ts'
import { expectedRevision } from '../core/revision.ts'
import { atMost, dateTime, id, idOf, int, named } from '../core/types.ts'
import { configurationFields, configurationOutputs } from './configurationContent.ts'
import { signingAssetsMax } from './signing/signingEnums.ts'

export const buildConfigurationStatus = named(
  'BuildConfigurationStatus',
  'The status of a build configuration. An archived one cannot be built, and another one can have its name.',
  v.picklist(['ACTIVE', 'ARCHIVED']),
)

const version = v.pipe(int, v.description('The number of changes of the content, from 1. Each version is kept.'))

export const buildConfigurationSchema = named(
  'BuildConfiguration',
  'A named recipe for the builds of a repository.',
  v.object({
    id,
    name: v.string(),
    description: v.string(),
    status: buildConfigurationStatus,
    repositoryId: id,
    signingAssetIds: v.pipe(
      atMost(signingAssetsMax, id),
      v.description('The signing assets that a build of the present version gets.'),
    ),
    version,
    revision: v.pipe(int, v.description('The same number as `version`. Pass it as `expectedRevision`.')),
    createdAt: dateTime,
    updatedAt: dateTime,
  }),
)

export const buildConfigurationContent = named(
  'BuildConfigurationContent',
  'The steps of a build configuration, and their conditions.',
  v.object(configurationOutputs),
)

export const buildConfigurationVersion = named(
  'BuildConfigurationVersion',
  'A version of the content of a build configuration.',
  v.object({
    version: v.pipe(int, v.description('Counts from 1.')),
    name: v.string(),
    description: v.string(),
    content: buildConfigurationContent,
    authorId: v.pipe(id, v.description('The user, API key or run that wrote the version.')),
    createdAt: dateTime,
  }),
)

export const buildConfigurations = query({
  name: 'buildConfigurations',
  description: 'Build configurations, newest first, without archived ones unless `statuses` names ARCHIVED.',
  access: 'people',
  tool: {
    group: 'builds',
    name: 'get_build_configurations',
    title: 'List build configurations',
    description:
      'Lists the build configurations (recipes for the builds of a repository), newest first. `get_build_configuration` returns ' +
      'the steps of one, and `start_build` builds it on a machine.',
  },
  input: v.object({
    ...pageArguments,
    orderBy: orderByOf('BuildConfiguration', ['CREATED_AT']),
    repositoryId: v.pipe(
      v.nullish(idOf('repository')),
      v.description('Returns only the configurations of this repository.'),
    ),
    statuses: v.pipe(
      v.nullish(v.pipe(v.array(buildConfigurationStatus), v.maxLength(2))),
      v.description('Returns only configurations with one of these statuses. Default: ACTIVE.'),
    ),
  }),
  output: connectionOf('BuildConfiguration', buildConfigurationSchema),
})

export const buildConfiguration = query({
  ...oneById('buildConfiguration', buildConfigurationSchema),
  tool: {
    group: 'builds',
    name: 'get_build_configuration',
    title: 'Get a build configuration',
    description:
      'Returns one build configuration by its ID (`bcf_…`): its steps, environment, artifacts, requirements ' +
      'and time-out.',
  },
})

const payload = (typeName: string) =>
  named(
    typeName,
    'The build configuration after the change.',
    v.object({ buildConfiguration: buildConfigurationSchema }),
  )

export const createBuildConfiguration = mutation({
  name: 'createBuildConfiguration',
  description: 'Creates a build configuration of a repository.',
  access: 'people',
  tool: {
    group: 'builds',
    title: 'Create a build configuration',
    description:
      'Creates a build configuration of a repository: shell commands that run one after the other in a checkout, and the ' +
      'patterns of the files that a build keeps. `start_build` builds it.',
  },
  input: v.object({ repositoryId: idOf('repository'), ...configurationFields, idempotencyKey }),
  output: payload('CreateBuildConfigurationPayload'),
})

export const updateBuildConfiguration = mutation({
  name: 'updateBuildConfiguration',
  description:
    'Replaces the content of a build configuration, as a new version. Existing builds keep the version that they started with.',
  access: 'people',
  tool: {
    group: 'builds',
    title: 'Change a build configuration',
    description:
      'Replaces the whole content of a build configuration, as a new version: pass every field that should stay, as ' +
      '`get_build_configuration` returns it. Pass the `revision` that you have read as `expectedRevision`, so that no change is ' +
      'lost.',
    idempotent: true,
  },
  input: v.object({ buildConfigurationId: idOf('buildConfiguration'), ...configurationFields, expectedRevision }),
  output: payload('UpdateBuildConfigurationPayload'),
})

const reference = v.object({ buildConfigurationId: idOf('buildConfiguration') })

export const archiveBuildConfiguration = mutation({
  name: 'archiveBuildConfiguration',
  description:
    'Archives a build configuration: it cannot be built, and another one can have its name. Its builds stay. `unarchiveBuildConfiguration` restores it.',
  access: 'people',
  tool: {
    group: 'builds',
    title: 'Archive a build configuration',
    description:
      'Archives a build configuration: it cannot be built any more. Its builds stay, and `unarchive_build_configuration` ' +
      'restores it.',
    idempotent: true,
  },
  input: reference,
  output: payload('ArchiveBuildConfigurationPayload'),
})

export const unarchiveBuildConfiguration = mutation({
  name: 'unarchiveBuildConfiguration',
  description:
    'Restores an archived build configuration. It is refused (CONFLICT) if another active one of the repository has its name.',
  access: 'people',
  tool: {
    group: 'builds',
    title: 'Restore a build configuration',
    description:
      'Restores an archived build configuration. It is refused if another active one of its repository has its name.',
    idempotent: true,
  },
  input: reference,
  output: payload('UnarchiveBuildConfigurationPayload'),
})
