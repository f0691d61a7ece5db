import { memberKeys } from '../framework/memberKeys.ts'

/** The members of a group of crash reports. */
export const crashGroupMembers = Object.freeze({
  /** The crash reports of the group (`GroupedReport`), by ID. */
  report: memberKeys('report/'),
  /** The number of the last move of each crash report that has left, by its ID. */
  left: memberKeys('left/'),
  /** The number of reports of a build (`BuildCount`). `identifyBuild` makes the key. */
  build: memberKeys('build/'),
  /** The number of crashes on a day of UTC, by date: `2026-11-28`. */
  day: memberKeys('day/'),
})

interface BuildToFind {
  readonly version?: string
  readonly build?: string
}

/** The beginning and the end of the keys of a build. Without a build: of all builds of the version. Without a version: of the build in all versions. */
export function buildKeysOf({ version, build }: BuildToFind): { readonly prefix: string; readonly suffix: string } {
  const [begin, end] = [version, build].map((part) => (part === undefined ? '' : JSON.stringify(part)))
  return {
    prefix: crashGroupMembers.build.toKey(begin ? `[${begin},` : ''),
    suffix: end ? `,${end}]` : '',
  }
}
