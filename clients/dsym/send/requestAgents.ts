/** The agents that keep the connections of requests: direct ones, or through the proxy that the environment names for the server. */
import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import { HttpProxyAgent } from 'http-proxy-agent'
import { HttpsProxyAgent } from 'https-proxy-agent'
import { getProxyForUrl } from 'proxy-from-env'
import { UploadFailure } from '../failures.ts'

/** A connection serves all requests. The server closes it after some seconds without one. */
const connections = { keepAlive: true, maxSockets: 2, timeout: 0 }

export interface RequestAgent {
  readonly agent: HttpAgent
  /** The address of the proxy without its password. Undefined for a direct connection. */
  readonly proxy: string | undefined
}

const agents = new Map<string, RequestAgent>()

/**
 * The proxy is that of `HTTPS_PROXY` or `HTTP_PROXY`, by the protocol of the server, or else of `ALL_PROXY`. `NO_PROXY` exempts servers.
 * @throws UploadFailure if the address of the proxy is not usable
 */
export function agentFor(url: string): RequestAgent {
  const { protocol } = new URL(url)
  const proxy = getProxyForUrl(url)
  const key = `${protocol} ${proxy}`
  const known = agents.get(key)
  if (known !== undefined) return known
  const made = createAgent(protocol === 'https:', proxy)
  agents.set(key, made)
  return made
}

function createAgent(isSecure: boolean, proxy: string): RequestAgent {
  if (proxy === '')
    return { agent: isSecure ? new HttpsAgent(connections) : new HttpAgent(connections), proxy: undefined }
  const address = URL.canParse(proxy) ? new URL(proxy) : undefined
  const shown = address === undefined ? 'of the environment' : `${address.protocol}//${address.host}`
  if (address?.protocol !== 'http:' && address?.protocol !== 'https:')
    throw new UploadFailure(
      `The proxy ${shown} is not usable. Set HTTPS_PROXY or HTTP_PROXY to an address such as http://proxy.example:3128.`,
    )
  // Some proxies, such as Tinyproxy, close a connection after its answer without an announcement, just when the next request takes it. A tunnel
  // for TLS belongs to the server.
  const agent = isSecure
    ? new HttpsProxyAgent(address, connections)
    : new HttpProxyAgent(address, { ...connections, keepAlive: false })
  return { agent, proxy: shown }
}
