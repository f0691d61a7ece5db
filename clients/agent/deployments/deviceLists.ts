/** Reads the lists of devices that adb, simctl and devicectl print. */
import * as v from 'valibot'
import type { AgentDestination } from '../operations.ts'

/** The output of `adb devices -l`. A device that is not `device` cannot be used. */
export function parseAdbDevices(output: string): AgentDestination[] {
  return output.split('\n').flatMap((line) => {
    const [, id, state, facts = ''] =
      /^(\S+)\s+(device|unauthorized|offline|recovery|sideload|no permissions\S*)\b(.*)$/.exec(line.trim()) ?? []
    if (id === undefined || state === undefined) return []
    const model = /\bmodel:(\S+)/.exec(facts)?.[1]?.replaceAll('_', ' ')
    return [{ kind: 'ANDROID_DEVICE' as const, id, name: model ?? id, problem: adbProblems[state] ?? null }]
  })
}

const adbProblems: Readonly<Record<string, string>> = {
  unauthorized: 'The device has not allowed this machine. Unlock it and allow USB debugging.',
  offline: 'The device does not answer adb.',
  recovery: 'The device is in recovery mode.',
  sideload: 'The device is in recovery mode.',
  'no permissions': 'The user of the agent may not use the USB device.',
}

const Simulators = v.object({
  devices: v.record(
    v.string(),
    v.array(v.object({ udid: v.string(), name: v.string(), isAvailable: v.optional(v.boolean(), true) })),
  ),
})

/** The output of `xcrun simctl list devices available --json`. */
export function parseSimulators(output: string): AgentDestination[] {
  return Object.entries(v.parse(Simulators, JSON.parse(output)).devices)
    .filter(([runtime]) => /\.iOS-/.test(runtime))
    .flatMap(([runtime, devices]) =>
      devices
        .filter(({ isAvailable }) => isAvailable)
        .map(({ udid, name }) => ({
          kind: 'IOS_SIMULATOR' as const,
          id: udid,
          name: `${name}, iOS ${runtime.replace(/^.*\.iOS-/, '').replaceAll('-', '.')}`,
          problem: null,
        })),
    )
}

const IosDevices = v.object({
  result: v.object({
    devices: v.array(
      v.object({
        identifier: v.string(),
        connectionProperties: v.object({
          pairingState: v.optional(v.string()),
          tunnelState: v.optional(v.string()),
        }),
        deviceProperties: v.object({ name: v.optional(v.string()) }),
        hardwareProperties: v.object({ platform: v.optional(v.string()), marketingName: v.optional(v.string()) }),
      }),
    ),
  }),
})

/** The file that `xcrun devicectl list devices --json-output FILE` writes. */
export function parseIosDevices(json: string): AgentDestination[] {
  return v
    .parse(IosDevices, JSON.parse(json))
    .result.devices.filter(({ hardwareProperties: { platform } }) => platform === 'iOS')
    .map(
      ({ identifier, connectionProperties: { pairingState, tunnelState }, deviceProperties, hardwareProperties }) => ({
        kind: 'IOS_DEVICE' as const,
        id: identifier,
        name: deviceProperties.name ?? hardwareProperties.marketingName ?? identifier,
        problem:
          pairingState !== undefined && pairingState !== 'paired'
            ? 'The device is not paired with this machine. Connect it and trust this computer.'
            : tunnelState === 'unavailable'
              ? 'The device is not connected.'
              : null,
      }),
    )
}
