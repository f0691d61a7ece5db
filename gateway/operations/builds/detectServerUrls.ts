/** Detects the origins at which this process is reached, from its listener, the addresses of the machine, and `PUBLIC_BASE_URL`. */
import { isIP } from 'node:net'
import { type NetworkInterfaceInfo, networkInterfaces } from 'node:os'
import { lanUrlsMax } from '../../../spec/builds/serverUrls.ts'

export interface DetectedServerUrls {
  readonly local: string
  /** `PUBLIC_BASE_URL`. */
  readonly remote: string | null
  /** The origins of the machine on its networks, at most `lanUrlsMax`. Empty if the server listens only on the machine itself. */
  readonly lan: readonly string[]
}

export interface ListenerFacts {
  readonly host: string
  /** The port that is listened on. */
  readonly port: number
  readonly publicBaseUrl?: string | undefined
}

type Interfaces = Readonly<Record<string, readonly NetworkInterfaceInfo[] | undefined>>

export function detectServerUrls(
  { host, port, publicBaseUrl }: ListenerFacts,
  interfaces: Interfaces = networkInterfaces(),
): DetectedServerUrls {
  const lan = reachableHosts(host, interfaces)
    .slice(0, lanUrlsMax)
    .map((name) => originOf(name, port))
  return {
    local: lan[0] ?? originOf('localhost', port),
    remote: publicBaseUrl === undefined ? null : new URL(publicBaseUrl).origin,
    lan,
  }
}

/** The names at which other machines of the network reach a listener. */
function reachableHosts(host: string, interfaces: Interfaces): readonly string[] {
  if (host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))) return []
  if (host !== '0.0.0.0' && host !== '::') return [host]
  const addresses = Object.values(interfaces)
    .flatMap((of) => of ?? [])
    .filter(({ internal, address }) => !internal && !isLinkLocal(address))
  const ofFamily = (wanted: string) => addresses.filter(({ family }) => family === wanted).map(({ address }) => address)
  // A listener on all IPv6 addresses accepts IPv4 too.
  return [...ofFamily('IPv4'), ...(host === '::' ? ofFamily('IPv6') : [])]
}

/** An address that is valid only on one link, or that the machine gave itself because no one else did. */
function isLinkLocal(address: string): boolean {
  return /^(169\.254\.|fe[89ab])/i.test(address)
}

function originOf(host: string, port: number): string {
  return new URL(`http://${isIP(host) === 6 ? `[${host}]` : host}:${port}`).origin
}
