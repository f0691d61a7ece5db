/** Decides which origins are shown: what people have set, otherwise what was detected. */

import { noServerUrlOverrides, type ServerUrlKind, type ServerUrlOverrides } from '../../../spec/builds/serverUrls.ts'
import { serverUrlSettingsId } from '../../../spec/core/ids.ts'
import type { RequestContext } from '../requestContext.ts'
import type { TypedViews } from '../typedViews.ts'
import type { DetectedServerUrls } from './detectServerUrls.ts'

/** Origins without a slash at their end. */
export interface ServerUrls {
  readonly local: string
  readonly remote: string
  /** Null if there is no proxy. */
  readonly proxy: string | null
}

/**
 * Returns the origins at which the server is reached. It is pure, so an object that stores the result keeps it, whatever is set later.
 *
 * - `local`: the override, otherwise the detected address on the network of the machine.
 * - `remote`: the override, otherwise `PUBLIC_BASE_URL`, the proxy, or `local`. It is never absent.
 * - `proxy`: the override, otherwise the origin that a trusted proxy has reported for this request.
 *
 * @param request the facts of one request. Its `forwardedOrigin` is null without a trusted proxy, and for the requests of actors
 */
export function resolveServerUrls(
  settings: Omit<ServerUrlOverrides, 'defaultKind'>,
  detected: Pick<DetectedServerUrls, 'local' | 'remote'>,
  request: { readonly forwardedOrigin: string | null },
): ServerUrls {
  const local = settings.localUrlOverride ?? detected.local
  const proxy = settings.proxyUrlOverride ?? request.forwardedOrigin
  return { local, remote: settings.remoteUrlOverride ?? detected.remote ?? proxy ?? local, proxy }
}

/**
 * Returns the kind that applies if a request names none. If PROXY is set and there is no proxy, it is REMOTE, whose origin always exists.
 */
export function resolveDefaultKind(
  settings: Pick<ServerUrlOverrides, 'defaultKind' | 'remoteUrlOverride'>,
  detected: Pick<DetectedServerUrls, 'remote'>,
  { proxy }: ServerUrls,
): ServerUrlKind {
  if (settings.defaultKind !== null)
    return settings.defaultKind === 'PROXY' && proxy === null ? 'REMOTE' : settings.defaultKind
  if (proxy !== null) return 'PROXY'
  return settings.remoteUrlOverride !== null || detected.remote !== null ? 'REMOTE' : 'LOCAL'
}

/** Reads what people have set. Nothing, before the actor exists. */
export async function readServerUrlOverrides(
  views: TypedViews,
): Promise<ServerUrlOverrides & { readonly revision: number }> {
  const row = await views.get('serverUrlSettings', serverUrlSettingsId)
  return row?.context ?? { ...noServerUrlOverrides, revision: 1 }
}

/** Reads the settings and resolves the origins for a request. */
export async function currentServerUrls(context: RequestContext<'views' | 'serverUrls'>): Promise<ServerUrls> {
  return resolveServerUrls(await readServerUrlOverrides(context.views), context.serverUrls.detect(), context)
}
