/** Lists of what belongs to builds: of an app, of one of its versions, of one build. */
import * as v from 'valibot'
import { Failure } from './failure.ts'
import { idOf, text } from './types.ts'
import type { RowQuery } from './views.ts'

const ofApp = (what: string) => v.pipe(v.nullish(text({ min: 1, max: 100 })), v.description(`${what} Needs appId.`))

export const buildFilter = {
  appId: v.nullish(idOf('app')),
  version: ofApp('Only of this version.'),
  build: ofApp('Only of this build.'),
}

interface Given {
  readonly appId?: string | null | undefined
  readonly version?: string | null | undefined
  readonly build?: string | null | undefined
}

/** @throws Failure BAD_USER_INPUT where an app's version is asked for without the app */
export function filterOfBuild({ appId, version, build }: Given): Pick<RowQuery, 'where' | 'init'> {
  const init = { ...(version ? { version } : {}), ...(build ? { build } : {}) }
  const [field] = Object.keys(init)
  if (!appId) {
    if (field === undefined) return {}
    throw new Failure('BAD_USER_INPUT', `${field} needs appId: builds are an app’s own.`, { details: { field } })
  }
  return { where: { scopeId: appId }, ...(field === undefined ? {} : { init }) }
}
