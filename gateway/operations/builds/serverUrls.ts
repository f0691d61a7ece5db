import type * as v from 'valibot'
import { isRowOfKind } from '../../../machines/rows.ts'
import {
  type ServerUrlOverrides,
  saveServerUrlSettings,
  serverUrlSettings,
  serverUrlSettingsChanged,
  type serverUrlSettingsSchema,
} from '../../../spec/builds/serverUrls.ts'
import { serverUrlSettingsId } from '../../../spec/core/ids.ts'
import { expecting } from '../../../spec/core/revision.ts'
import { toDateTime } from '../../../spec/core/types.ts'
import { oneMessage } from '../core/replies.ts'
import { handle } from '../handler.ts'
import type { RequestContext } from '../requestContext.ts'
import { readServerUrlOverrides, resolveDefaultKind, resolveServerUrls } from './resolveServerUrls.ts'

const actor = { kind: 'serverUrlSettings', id: serverUrlSettingsId } as const

function toSettings(
  stored: ServerUrlOverrides & { readonly revision: number },
  context: RequestContext<'serverUrls'>,
): v.InferInput<typeof serverUrlSettingsSchema> {
  const detected = context.serverUrls.detect()
  const urls = resolveServerUrls(stored, detected, context)
  const { localUrlOverride, remoteUrlOverride, proxyUrlOverride, defaultKind, revision } = stored
  return {
    detected: {
      localUrl: detected.local,
      remoteUrl: detected.remote,
      proxyUrl: context.forwardedOrigin,
      lanUrls: [...detected.lan],
    },
    effective: {
      localUrl: urls.local,
      remoteUrl: urls.remote,
      proxyUrl: urls.proxy,
      defaultKind: resolveDefaultKind(stored, detected, urls),
    },
    localUrlOverride,
    remoteUrlOverride,
    proxyUrlOverride,
    defaultKind,
    revision,
  }
}

export const serverUrlHandlers = [
  handle(serverUrlSettings, ['views', 'serverUrls'], {
    read: async (_input, context) => toSettings(await readServerUrlOverrides(context.views), context),
  }),
  handle(saveServerUrlSettings, ['serverUrls'], {
    translate: ({ expectedRevision, ...overrides }, context) => {
      const event = { type: 'save', ...expecting(expectedRevision), ...overrides }
      return oneMessage({ to: actor, event }, ({ context: stored }) => ({
        serverUrlSettings: toSettings(stored, context),
      }))
    },
  }),
  handle(serverUrlSettingsChanged, [], {
    follow: () => ({ type: 'rows', kind: actor.kind, where: { id: actor.id }, initial: 'none' }),
    payload: (item) =>
      item.type === 'row' && isRowOfKind(actor.kind, item.row)
        ? { revision: item.row.context.revision, changedAt: toDateTime(item.row.changedAt) }
        : undefined,
  }),
]
