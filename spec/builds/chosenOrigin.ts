import type { ServerUrlKind } from './serverUrls.ts'

interface Origins {
  readonly kind: ServerUrlKind
  readonly local: string
  readonly remote: string
  readonly proxy: string | null
}

/** The origin of the chosen kind. A build with PROXY has a proxy. */
export function chosenOrigin({ kind, local, remote, proxy }: Origins): string {
  return kind === 'LOCAL' ? local : kind === 'PROXY' ? (proxy ?? remote) : remote
}
