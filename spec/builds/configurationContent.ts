/** The content of a build configuration: its steps, its environment, what it keeps of a checkout, and which machines can build it. */
import * as v from 'valibot'
import { agentTagsMax } from '../agents/agents.ts'
import { tagNames } from '../agents/agentTags.ts'
import { atMost, id, idOf, int, named, text } from '../core/types.ts'
import { namedValue } from '../runs/outputs.ts'
import { variableName } from '../work/workflows/steps.ts'
import { type CoverageFormat, coverageFormats } from './buildEnums.ts'
import { checkPattern } from './filePattern.ts'
import { type OnPush, onPushInput, onPushOutput } from './onPush.ts'
import { signingAssetsMax } from './signing/signingEnums.ts'

export const buildStepsMax = 50
const variablesMax = 64
export const artifactPatternsMax = 50
export const coverageReportsMax = 20
const platformsMax = 10
export const toolsMax = 50
export const destinationCommandsMax = 20
/** Seconds: one day. */
const longestTimeout = 86_400
export const defaultBuildTimeoutSeconds = 3_600
export const defaultRetentionDays = 30
const longestRetentionDays = 3_650

/** A version of a build configuration, as it is stored. */
export type BuildConfigurationContent = {
  readonly name: string
  readonly description: string
  readonly steps: readonly { readonly name: string; readonly command: string }[]
  readonly environment: readonly { readonly name: string; readonly value: string }[]
  /** Patterns of the files that a build keeps as artifacts. */
  readonly artifacts: readonly string[]
  /** The days for which they are kept. */
  readonly artifactRetentionDays: number
  /** Versions from before there were deployments have none. */
  readonly destinations?: readonly DestinationCommand[]
  /** The reports that a COVERAGE build reads. Versions from before there were such builds have none. */
  readonly coverageReports?: readonly CoverageReport[]
  /** The IDs of the signing assets that a build gets. Versions from before there were signing assets have none. */
  readonly signingAssets?: readonly string[]
  /** Whether builds that runs request get them too. */
  readonly signingForRuns?: boolean
  /** The pushes that are built. Null: none. Versions from before there were such builds have none. */
  readonly onPush?: OnPush | null
  readonly requirements: BuildRequirements
  readonly timeoutSeconds: number
}

/** A command with which builds are deployed. */
export type DestinationCommand = {
  readonly name: string
  readonly command: string
  /** The pattern of the artifacts that it deploys. Null if it needs none. */
  readonly artifact: string | null
}
export type CoverageReport = { readonly format: CoverageFormat; readonly pattern: string }

/** An empty list allows any. */
export type BuildRequirements = {
  readonly platforms: readonly string[]
  readonly architectures: readonly string[]
  readonly tools: readonly string[]
  /** The tags that an agent needs, all of them. Versions from before there were tags have none. */
  readonly tags?: readonly string[]
}

/** Only the names that `process.platform` and `process.arch` of a supported machine can have. */
const platform = v.pipe(
  text({ min: 1, max: 20 }),
  v.regex(/^[a-z0-9]+$/, 'must be the name of a platform, such as linux or darwin'),
)
const architecture = v.pipe(
  text({ min: 1, max: 20 }),
  v.regex(/^[a-z0-9]+$/, 'must be the name of an architecture, such as x64 or arm64'),
)
const tool = v.pipe(
  text({ min: 1, max: 100 }),
  v.regex(/^[A-Za-z0-9][A-Za-z0-9._+-]*$/, 'must be the name of a program without a path, such as xcodebuild'),
)

const pattern = v.pipe(
  text({ min: 1, max: 500 }),
  v.check(
    (value) => checkPattern(value) === undefined,
    'must be a path in the checkout. `*` and `?` match within a name, and `**` matches any folders',
  ),
)

const coverageFormat = named(
  'CoverageFormat',
  'The format of a coverage report. LCOV: a tracefile, as lcov, c8, nyc and llvm-cov write it. COBERTURA: XML, as coverage.py, Istanbul and gcovr write it. XCCOV: the JSON of `xcrun xccov view --report --json`.',
  v.picklist(coverageFormats),
)

export const configurationName = v.pipe(
  text({ min: 1, max: 100 }),
  v.check((value) => value.trim() === value, 'must not begin or end with a space'),
)

const requirementsInput = named(
  'BuildRequirementsInput',
  'The machines that can build it. An empty list allows any.',
  v.object({
    platforms: v.pipe(
      v.nullish(v.pipe(v.array(platform), v.maxLength(platformsMax))),
      v.description('The platforms, such as `linux`, `darwin`. Default: any.'),
    ),
    architectures: v.pipe(
      v.nullish(v.pipe(v.array(architecture), v.maxLength(platformsMax))),
      v.description('The architectures, such as `x64`, `arm64`. Default: any.'),
    ),
    tools: v.pipe(
      v.nullish(v.pipe(v.array(tool), v.maxLength(toolsMax))),
      v.description(
        'The programs that a build needs. If the machine does not have one in its `PATH`, the build fails before its first step. Default: none.',
      ),
    ),
    tags: v.pipe(
      v.nullish(tagNames),
      v.description('The tags that the agent needs, all of them (`setAgentTags`). Default: none.'),
    ),
  }),
)

export const configurationFields = {
  name: v.pipe(
    configurationName,
    v.description('The name, unique among the active build configurations of the repository.'),
  ),
  description: v.pipe(v.nullish(text({ max: 1_000 })), v.description('Default: empty.')),
  steps: v.pipe(
    v.array(
      named(
        'BuildStepInput',
        'A command that the shell runs in the checkout.',
        v.object({ name: text({ min: 1, max: 100 }), command: text({ min: 1, max: 20_000 }) }),
      ),
    ),
    v.minLength(1, 'must have at least one step'),
    v.maxLength(buildStepsMax),
    v.description('The commands, in the order in which they run. The first one that fails ends the build.'),
  ),
  environment: v.pipe(
    v.nullish(
      v.pipe(
        v.array(
          named(
            'BuildVariableInput',
            'An environment variable of the steps.',
            v.object({ name: variableName, value: text({ max: 20_000 }) }),
          ),
        ),
        v.maxLength(variablesMax),
      ),
    ),
    v.description('Environment variables of the steps. They are not secret: everyone who may read builds sees them.'),
  ),
  artifacts: v.pipe(
    v.nullish(v.pipe(v.array(pattern), v.maxLength(artifactPatternsMax))),
    v.description('Patterns of the files that a build keeps, such as `dist/**/*.zip`. Default: none.'),
  ),
  artifactRetentionDays: v.pipe(
    v.nullish(v.pipe(int, v.minValue(1), v.maxValue(longestRetentionDays))),
    v.description(
      `The number of days after which the files are deleted, unless they are pinned. Default: ${defaultRetentionDays}.`,
    ),
  ),
  destinations: v.pipe(
    v.nullish(
      v.pipe(
        v.array(
          named(
            'BuildDestinationInput',
            'A command with which builds are deployed.',
            v.object({
              name: text({ min: 1, max: 100 }),
              command: text({ min: 1, max: 20_000 }),
              artifact: v.pipe(
                v.nullish(pattern),
                v.description(
                  'The pattern of the artifacts that it deploys. The path of the file is in `SIGNALBOX_ARTIFACT`. Default: it needs none.',
                ),
              ),
            }),
          ),
        ),
        v.maxLength(destinationCommandsMax),
      ),
    ),
    v.description('Commands with which builds are deployed, on any machine. Default: none.'),
  ),
  coverageReports: v.pipe(
    v.nullish(
      v.pipe(
        v.array(
          named(
            'CoverageReportInput',
            'The coverage reports that the steps write.',
            v.object({ format: coverageFormat, pattern }),
          ),
        ),
        v.maxLength(coverageReportsMax),
      ),
    ),
    v.description(
      'The coverage reports that a COVERAGE build reads after its steps, such as `LCOV` and `coverage/lcov.info`. Each pattern must match at least one file. Default: none, so the configuration has no COVERAGE builds.',
    ),
  ),
  signingAssets: v.pipe(
    v.nullish(v.pipe(v.array(idOf('signingAsset')), v.maxLength(signingAssetsMax))),
    v.description(
      'The signing assets that a build gets as files, in `SIGNALBOX_SIGNING_DIR`. A run may not change a configuration that has some, nor add any. Default: none.',
    ),
  ),
  signingForRuns: v.pipe(
    v.nullish(v.boolean()),
    v.description(
      'Whether runs may start builds that get the signing assets. The commit that a run builds could print them. Default: false, so `startBuild` is refused for a run.',
    ),
  ),
  onPush: v.pipe(
    v.nullish(onPushInput),
    v.description('The pushes that are built, by webhooks of GitHub and GitLab. Default: none.'),
  ),
  requirements: v.pipe(v.nullish(requirementsInput), v.description('Default: any machine.')),
  timeoutSeconds: v.pipe(
    v.nullish(v.pipe(int, v.minValue(1), v.maxValue(longestTimeout))),
    v.description(`The most time that the steps may take together. Default: ${defaultBuildTimeoutSeconds}.`),
  ),
}

export type ConfigurationInput = v.InferOutput<ReturnType<typeof v.object<typeof configurationFields, undefined>>>

/** The same content in an answer. */
export const configurationOutputs = {
  steps: atMost(
    buildStepsMax,
    named(
      'BuildStep',
      'A command that the shell runs in the checkout.',
      v.object({ name: v.string(), command: v.string() }),
    ),
  ),
  environment: atMost(variablesMax, namedValue),
  artifacts: atMost(artifactPatternsMax, v.string()),
  artifactRetentionDays: int,
  destinations: atMost(
    destinationCommandsMax,
    named(
      'BuildDestination',
      'A command with which builds are deployed.',
      v.object({
        name: v.string(),
        command: v.string(),
        artifact: v.pipe(
          v.nullable(v.string()),
          v.description('The pattern of the artifacts that it deploys. Null if it needs none.'),
        ),
      }),
    ),
  ),
  coverageReports: atMost(
    coverageReportsMax,
    named(
      'CoverageReport',
      'The coverage reports that the steps write.',
      v.object({ format: coverageFormat, pattern: v.string() }),
    ),
  ),
  signingAssetIds: v.pipe(
    atMost(signingAssetsMax, id),
    v.description('The signing assets that a build gets. `signingAssets` of the input.'),
  ),
  signingForRuns: v.pipe(v.boolean(), v.description('Whether runs may start builds that get the signing assets.')),
  onPush: v.pipe(v.nullable(onPushOutput), v.description('Null: no push is built.')),
  requirements: named(
    'BuildRequirements',
    'The machines that can build it. An empty list allows any.',
    v.object({
      platforms: atMost(platformsMax, v.string()),
      architectures: atMost(platformsMax, v.string()),
      tools: atMost(toolsMax, v.string()),
      tags: atMost(agentTagsMax, v.string()),
    }),
  ),
  timeoutSeconds: int,
} as const
