import { Failure } from '../../../spec/core/failure.ts'
import type { RowQuery } from '../../../storage/ports/views.ts'

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
