/** The members of an app. */
import { memberKeys } from '../framework/memberKeys.ts'

interface NamedBuild {
  readonly version: string
  readonly build: string
}

export const appMembers = Object.freeze({
  /** The builds of the app. The key is the JSON text of `[version, build]`. */
  build: memberKeys('build/'),
})

/** Identifies a build in the key of a member, here and in groups of crash reports. */
export function identifyBuild({ version, build }: NamedBuild): string {
  return JSON.stringify([version, build])
}

export function appBuildKey(build: NamedBuild): string {
  return appMembers.build.toKey(identifyBuild(build))
}
