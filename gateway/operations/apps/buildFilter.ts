import { Failure } from '../../../spec/core/failure.ts'
import type { RowQuery } from '../../../storage/ports/views.ts'

interface Given {
  readonly appId?: string | null | undefined
  readonly version?: string | null | undefined
  readonly build?: string | null | undefined
}

/** @throws Failure BAD_USER_INPUT if the filter has a version or build without an app */
export function filterOfBuild({ appId, version, build }: Given): Pick<RowQuery, 'where' | 'init'> {
  const init = { ...(version ? { version } : {}), ...(build ? { build } : {}) }
  const [field] = Object.keys(init)
  if (!appId) {
    if (field === undefined) return {}
    throw new Failure('BAD_USER_INPUT', `${field} needs appId, because a build belongs to one app. Give appId too.`, {
      details: { field },
    })
  }
  return { where: { scopeId: appId }, ...(field === undefined ? {} : { init }) }
}
