/** The members of an app. */
import { memberKeys } from '../framework/memberKeys.ts'

export const appMembers = Object.freeze({
  /** Builds, by JSON of version and build. */
  build: memberKeys('build/'),
})
