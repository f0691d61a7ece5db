/** The values of the enums of builds. The console lists them too: this file imports nothing, so its script contains no schemas. */

export const terminalBuildStatuses = ['SUCCEEDED', 'FAILED', 'CANCELED', 'TIMED_OUT', 'LOST'] as const

export const buildStatuses = [
  'QUEUED',
  'ASSIGNED',
  'PREPARING',
  'RUNNING',
  'CANCELING',
  'INCIDENT',
  ...terminalBuildStatuses,
] as const

export const buildPhases = [
  'WAITING_FOR_WORKTREE',
  'WAITING_FOR_AGENT',
  'CHECKING_OUT',
  'BUILDING',
  'COLLECTING',
  'STOPPING',
] as const

export const buildTriggers = ['API', 'CONSOLE', 'WORKFLOW', 'WEBHOOK'] as const

export const buildKinds = ['BUILD', 'COVERAGE'] as const

export const buildSources = ['COMMIT', 'WORKTREE'] as const

export const coverageFormats = ['LCOV', 'COBERTURA', 'XCCOV'] as const

export type BuildStatus = (typeof buildStatuses)[number]
export type BuildPhase = (typeof buildPhases)[number]
export type BuildTrigger = (typeof buildTriggers)[number]
export type BuildKind = (typeof buildKinds)[number]
export type BuildSource = (typeof buildSources)[number]
export type CoverageFormat = (typeof coverageFormats)[number]
