import type { Identity } from '../state.ts'

/**
 * The agents' listener, and the main address, which serves the protocol too, in case the listener has moved. Addresses without
 * encryption are removed if the listener uses it.
 */
export function socketUrls({ agentWsUrl, server }: Identity): string[] {
  const urls = [socketUrl(agentWsUrl), socketUrl(server.replace(/^http/, 'ws'))]
  return agentWsUrl.startsWith('wss:') ? urls.filter((url) => url.startsWith('wss:')) : urls
}

/** The control plane reports the address of its listener. The path of the protocol is `/graphql`. */
export function socketUrl(address: string): string {
  return address.endsWith('/graphql') ? address : `${address.replace(/\/+$/, '')}/graphql`
}
