/** The objects that the steps of a definition name: they must exist, and a build must be possible with them. */
import type { TypedRow } from '../../../../machines/rows.ts'
import { Failure, type FailureCode } from '../../../../spec/core/failure.ts'
import type { StepDefinition } from '../../../../spec/work/workflows/steps.ts'
import { readConfigurationVersion } from '../../builds/configurationVersions.ts'
import { requireRow } from '../../core/rows.ts'
import type { RequestContext } from '../../requestContext.ts'

type BuildAction = NonNullable<StepDefinition['action']['build']>

/** The worktree of the run. It is not known when a definition is saved. */
interface Place {
  readonly worktreeId: string
  readonly codebaseId: string
}

/** @throws Failure NOT_FOUND, FAILED_PRECONDITION */
export async function requireTargets(
  steps: readonly StepDefinition[],
  context: RequestContext<'views'>,
): Promise<void> {
  for (const { action } of steps)
    if (action.workflow !== null) await requireRow(context.views, 'workflow', action.workflow.workflowId)
  await requireBuildTargets(steps, context)
}

/**
 * The configuration of each BUILD step must be active, and for the repository of the worktree.
 * @throws Failure NOT_FOUND, FAILED_PRECONDITION
 */
export async function requireBuildTargets(
  steps: readonly StepDefinition[],
  context: RequestContext<'views'>,
  place?: Place,
): Promise<void> {
  for (const [index, { action }] of steps.entries())
    if (action.build) await requireBuild(action.build, `steps.${index}.action.build`, context, place)
}

async function requireBuild(
  { buildConfigurationId, worktreeId, kind }: BuildAction,
  field: string,
  context: RequestContext<'views'>,
  place: Place | undefined,
): Promise<void> {
  const { views } = context
  const refuse = (part: string, code: FailureCode, message: string): Failure =>
    new Failure(code, `${field}.${part}: ${message}`, { details: { field: `${field}.${part}`, buildConfigurationId } })
  const configuration = await views.get('buildConfiguration', buildConfigurationId)
  if (configuration === undefined)
    throw refuse(
      'buildConfigurationId',
      'NOT_FOUND',
      `there is no build configuration ${buildConfigurationId}. \`buildConfigurations\` lists them.`,
    )
  if (configuration.columns.status !== 'ACTIVE')
    throw refuse(
      'buildConfigurationId',
      'FAILED_PRECONDITION',
      `the build configuration is ${configuration.columns.status}. Unarchive it, or name another one.`,
    )
  if (kind === 'COVERAGE') {
    const { coverageReports = [] } = await readConfigurationVersion(
      buildConfigurationId,
      configuration.context.revision,
      views,
    )
    if (coverageReports.length === 0)
      throw refuse(
        'kind',
        'FAILED_PRECONDITION',
        'the build configuration has no `coverageReports`, so it has no COVERAGE builds. Add the reports that its steps write, or choose BUILD.',
      )
  }
  const on = await readPlace(worktreeId, place, (message) => refuse('worktreeId', 'NOT_FOUND', message), context)
  if (on === undefined) return
  const { repositoryId } = configuration.init
  if ((await requireRow(views, 'codebase', on.codebaseId)).context.repositoryId === repositoryId) return
  throw refuse(
    worktreeId === null ? 'buildConfigurationId' : 'worktreeId',
    'FAILED_PRECONDITION',
    `the build configuration is for the repository ${repositoryId}, and the worktree ${on.worktreeId} is not of it. Use a worktree of that repository.`,
  )
}

/** The worktree of the step, or else that of the run. Undefined if neither is known. */
async function readPlace(
  worktreeId: string | null,
  place: Place | undefined,
  refuse: (message: string) => Failure,
  { views }: RequestContext<'views'>,
): Promise<Place | undefined> {
  if (worktreeId === null) return place
  const row: TypedRow<'worktree'> | undefined = await views.get('worktree', worktreeId)
  if (row === undefined) throw refuse(`there is no worktree ${worktreeId}. \`worktrees\` lists them.`)
  return { worktreeId, codebaseId: row.init.codebaseId }
}
