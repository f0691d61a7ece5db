/** Determines which hosts are served, and which origins may use a browser's cookie. */
import { isIP } from 'node:net'
import { Failure } from '../../spec/core/failure.ts'
import { sessionCookies } from '../auth/cookies.ts'
import type { GatewaySettings } from '../options.ts'
import { plainAddress } from './addresses.ts'
import type { RequestHead } from './request.ts'

const localHosts: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])

function originOf(url: string): string {
  return new URL(url).origin
}

function isLoopback(host: string): boolean {
  const address = plainAddress(host)
  return host === 'localhost' || address === '::1' || (isIP(address) === 4 && address.startsWith('127.'))
}

/** Returns the host without its port. */
function hostname(host: string): string {
  return host.replace(/:\d*$/, '').toLowerCase()
}

export class Origins {
  readonly #public: string | undefined
  readonly #listed: ReadonlySet<string>
  /** `APP_ORIGINS` is unset, so the host of the request is trusted. */
  readonly #trustsHost: boolean
  readonly #onlyLocal: boolean

  constructor(settings: GatewaySettings) {
    this.#public = settings.publicBaseUrl === undefined ? undefined : originOf(settings.publicBaseUrl)
    const listed = (settings.appOrigins ?? []).map(originOf)
    this.#trustsHost = listed.length === 0
    this.#onlyLocal = isLoopback(settings.host) && this.#trustsHost && this.#public === undefined
    this.#listed = new Set(this.#public === undefined ? listed : [...listed, this.#public])
  }

  /** Returns the origin under which the caller reached the server. */
  baseUrl(head: RequestHead): string {
    return this.#public ?? `${head.secure ? 'https' : 'http'}://${head.headers.get('host') ?? 'localhost'}`
  }

  /**
   * Returns the origin that a trusted proxy reports for the request, or null. It is shown to the caller only: it never decides from which
   * origins a browser is accepted.
   */
  forwardedOrigin({ secure, forwardedHost }: RequestHead): string | null {
    return forwardedHost === undefined ? null : originOf(`${secure ? 'https' : 'http'}://${forwardedHost}`)
  }

  /** Returns whether cookies must have `Secure`: the public origin is https. */
  secure(head: RequestHead): boolean {
    return this.#public?.startsWith('https:') ?? head.secure
  }

  /** @throws Failure if `Host` is not a local name of this machine (DNS rebinding). */
  checkHost(head: RequestHead): void {
    if (!this.#onlyLocal) return
    const host = head.headers.get('host') ?? ''
    if (head.repeated.has('host') || !localHosts.has(hostname(host)))
      throw new Failure('FORBIDDEN', 'This server answers only to localhost; set PUBLIC_BASE_URL to serve other names.')
  }

  allows(origin: string, head: RequestHead): boolean {
    if (this.#listed.has(origin)) return true
    return this.#trustsHost && origin === `${head.secure ? 'https' : 'http'}://${head.headers.get('host') ?? ''}`
  }

  /**
   * The origin rule. It applies to requests with the session cookie that are not GET or HEAD, to POSTs under `/api/auth/`, and to
   * upgrades. With `always` it applies to any request from a page. A request without an origin passes in two cases:
   * - The browser reports that the request has the same origin.
   * - The request has no cookie, and no browser header reports a site.
   * @throws Failure INVALID_ORIGIN
   */
  checkOrigin(head: RequestHead, when?: 'upgrade' | 'always'): void {
    const hasCookie = sessionCookies(head.headers.get('cookie')).length > 0
    const reads = head.method === 'GET' || head.method === 'HEAD'
    const origin = head.headers.get('origin')
    const site = head.headers.get('sec-fetch-site')
    const isOfPage = origin !== undefined || site !== undefined
    const asked = when === 'upgrade' || (when === 'always' && isOfPage)
    const covered = asked || (hasCookie && !reads) || (head.method === 'POST' && head.path.startsWith('/api/auth/'))
    if (!covered) return
    const allowed =
      origin === undefined ? site === 'same-origin' || (site === undefined && !hasCookie) : this.allows(origin, head)
    if (!allowed) throw new Failure('INVALID_ORIGIN', 'Invalid origin')
  }
}
