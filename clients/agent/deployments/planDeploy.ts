import type { JobFolder, RunPlan } from '../jobs/folder.ts'
import { Refusal } from '../jobs/refusal.ts'
import type { DeploySpec } from '../jobs/spec.ts'
import { fileOf, workFolder } from './place.ts'
import { androidSteps, commandSteps, hostSteps, iosDeviceSteps, type Step, simulatorSteps } from './steps.ts'

/** The steps that install and start a build. Planning starts and changes nothing. @throws Refusal BAD_SPEC */
export function planDeploy(spec: DeploySpec, folder: JobFolder): Omit<RunPlan, 'mark'> {
  return {
    cwd: workFolder(folder),
    env: { ...spec.env, ...variablesOf(spec, folder) },
    timeoutSeconds: spec.timeoutSeconds,
    steps: stepsOf(spec, folder),
  }
}

function stepsOf(spec: DeploySpec, folder: JobFolder): Step[] {
  const { kind, id, command } = spec.destination
  if (kind === 'COMMAND') return commandSteps(needed(command, 'command'), folder)
  const file = fileOf(folder, needed(spec.fileName, 'fileName'))
  switch (kind) {
    case 'HOST':
      return hostSteps(file, folder)
    case 'ANDROID_DEVICE':
      return androidSteps(file, needed(id, 'destination.id'), folder)
    case 'IOS_SIMULATOR':
      return simulatorSteps(file, needed(id, 'destination.id'), folder)
    case 'IOS_DEVICE':
      return iosDeviceSteps(file, needed(id, 'destination.id'), folder)
  }
}

function needed(value: string | null, field: string): string {
  if (value !== null) return value
  throw new Refusal('BAD_SPEC', `The job’s ${field} is not right: it is missing.`)
}

/** The variables by which the steps of a deployment know it. */
function variablesOf(spec: DeploySpec, folder: JobFolder): Record<string, string> {
  const { deploymentId, number, buildId, buildName, buildNumber, commit, destination, fileName, serverUrls } = spec
  const { kind, local, remote, proxy } = serverUrls
  const urls = { LOCAL: local, REMOTE: remote, PROXY: proxy }
  return {
    SIGNALBOX_DEPLOYMENT_ID: deploymentId,
    SIGNALBOX_DEPLOYMENT_NUMBER: String(number),
    SIGNALBOX_DESTINATION: destination.name,
    SIGNALBOX_BUILD_ID: buildId,
    SIGNALBOX_BUILD_NUMBER: String(buildNumber),
    SIGNALBOX_BUILD_NAME: buildName,
    SIGNALBOX_SERVER_URL_KIND: kind,
    SIGNALBOX_SERVER_URL: urls[kind] ?? remote,
    SIGNALBOX_LOCAL_URL: local,
    SIGNALBOX_REMOTE_URL: remote,
    ...(proxy === null ? {} : { SIGNALBOX_PROXY_URL: proxy }),
    ...(commit === null ? {} : { SIGNALBOX_COMMIT: commit }),
    ...(fileName === null ? {} : { SIGNALBOX_ARTIFACT: fileOf(folder, fileName) }),
  }
}
