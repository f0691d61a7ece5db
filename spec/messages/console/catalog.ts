/** All texts of the console, by area. */
import type { Locale } from '../../pages/locales.ts'
import { accountsMessages } from './accounts/accounts.ts'
import { appMessages } from './apps/apps.ts'
import { crashGroupMessages } from './apps/crashGroups.ts'
import { crashReportMessages } from './apps/crashReports.ts'
import { dsymMessages } from './apps/dsyms.ts'
import { buildMessages } from './builds/builds.ts'
import { buildConfigurationMessages } from './builds/configurations.ts'
import { deploymentMessages } from './builds/deployments.ts'
import { signingMessages } from './builds/signing.ts'
import { deviceMessages } from './devices.ts'
import { firstStepsMessages } from './fleet/firstSteps.ts'
import { machinesMessages } from './fleet/machines.ts'
import { repositoriesMessages } from './fleet/repositories.ts'
import { worktreesMessages } from './fleet/worktrees.ts'
import { inboxMessages } from './inbox.ts'
import { chartMessages } from './insights/charts.ts'
import { insightsMessages } from './insights/insights.ts'
import { stateMapMessages } from './insights/stateMaps.ts'
import { stuckMessages } from './insights/stuck.ts'
import { inspectMessages } from './inspect.ts'
import { integrationMessages } from './integrations.ts'
import { kindMessages } from './kinds.ts'
import { lifecycleMessages } from './lifecycle.ts'
import { type MessagesOf, selectLanguage } from './message.ts'
import { notificationMessages } from './notifications.ts'
import { partsMessages } from './parts.ts'
import { imageDiffMessages } from './runs/imageDiffs.ts'
import { newRunMessages } from './runs/newRun.ts'
import { runMessages } from './runs/run.ts'
import { runsMessages } from './runs/runs.ts'
import { serverUrlMessages } from './serverUrls.ts'
import { settingsMessages } from './settings.ts'
import { shellMessages } from './shell.ts'
import { statechartMessages } from './statechart.ts'
import { statusMessages } from './statuses.ts'
import { telemetryMessages } from './telemetry.ts'
import { toolsMessages } from './tools/toolsPage.ts'
import { commandMessages } from './work/commands.ts'
import { planMessages } from './work/plans.ts'
import { scheduleMessages } from './work/schedules.ts'
import { sessionMessages } from './work/sessions.ts'
import { skillMessages } from './work/skills.ts'
import { workMessages } from './work/work.ts'
import { workflowMessages } from './work/workflows.ts'

export const consoleCatalog = {
  accounts: accountsMessages,
  apps: appMessages,
  buildConfigurations: buildConfigurationMessages,
  builds: buildMessages,
  charts: chartMessages,
  crashGroups: crashGroupMessages,
  crashReports: crashReportMessages,
  deployments: deploymentMessages,
  devices: deviceMessages,
  dsyms: dsymMessages,
  firstSteps: firstStepsMessages,
  imageDiffs: imageDiffMessages,
  inbox: inboxMessages,
  inspect: inspectMessages,
  insights: insightsMessages,
  commands: commandMessages,
  integrations: integrationMessages,
  kinds: kindMessages,
  lifecycle: lifecycleMessages,
  machines: machinesMessages,
  newRun: newRunMessages,
  notifications: notificationMessages,
  parts: partsMessages,
  plans: planMessages,
  repositories: repositoriesMessages,
  run: runMessages,
  runs: runsMessages,
  schedules: scheduleMessages,
  sessions: sessionMessages,
  serverUrls: serverUrlMessages,
  settings: settingsMessages,
  shell: shellMessages,
  signing: signingMessages,
  skills: skillMessages,
  statechart: statechartMessages,
  statuses: statusMessages,
  telemetry: telemetryMessages,
  tools: toolsMessages,
  stateMaps: stateMapMessages,
  stuck: stuckMessages,
  work: workMessages,
  workflows: workflowMessages,
  worktrees: worktreesMessages,
} as const

export type ConsoleMessages = MessagesOf<typeof consoleCatalog>

/** The data of the script that a page loads before the console. */
export interface ConsoleLanguage {
  readonly locale: Locale
  readonly messages: ConsoleMessages
}

declare global {
  /** Set by that script. */
  var consoleLanguage: ConsoleLanguage
}

export function consoleLanguageOf(locale: Locale): ConsoleLanguage {
  return { locale, messages: selectLanguage(consoleCatalog, locale) }
}
