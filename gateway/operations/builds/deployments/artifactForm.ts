/** The use of an artifact, which its name tells. */
import type { DestinationKind } from '../../../../spec/builds/deployments/deploymentEnums.ts'

/** PROGRAM: it runs only on a machine with the platform and architecture for which it was built. */
export type ArtifactForm = 'PROGRAM' | 'SCRIPT' | 'ANDROID_PACKAGE' | 'SIMULATOR_APP' | 'IOS_APP'

const endings: readonly (readonly [ending: RegExp, form: ArtifactForm])[] = [
  [/\.apk$/i, 'ANDROID_PACKAGE'],
  [/\.app\.(zip|tar\.gz)$/i, 'SIMULATOR_APP'],
  [/\.ipa$/i, 'IOS_APP'],
  [/\.(sh|py|js|mjs|jar)$/i, 'SCRIPT'],
  [/\.(run|bin|appimage)$/i, 'PROGRAM'],
  // A program of Linux or macOS usually has no ending.
  [/^[^.]+$/, 'PROGRAM'],
]

/** Undefined: it cannot be installed or started. */
export function formOf(name: string): ArtifactForm | undefined {
  return endings.find(([ending]) => ending.test(name))?.[1]
}

/** A COMMAND has a pattern of its own. */
export const formsFor: Readonly<Record<Exclude<DestinationKind, 'COMMAND'>, readonly ArtifactForm[]>> = {
  HOST: ['PROGRAM', 'SCRIPT'],
  ANDROID_DEVICE: ['ANDROID_PACKAGE'],
  IOS_SIMULATOR: ['SIMULATOR_APP'],
  IOS_DEVICE: ['IOS_APP'],
}

/** The files that each kind needs, for a message. */
export const neededFiles: Readonly<Record<Exclude<DestinationKind, 'COMMAND'>, string>> = {
  HOST: 'a program (without an ending, or .run, .bin, .AppImage) or a script (.sh, .py, .js, .mjs, .jar)',
  ANDROID_DEVICE: 'an Android package (.apk)',
  IOS_SIMULATOR: 'an app for the simulator (.app.zip, .app.tar.gz)',
  IOS_DEVICE: 'an iOS app (.ipa)',
}
