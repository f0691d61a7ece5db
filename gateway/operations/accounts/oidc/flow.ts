/** A sign-in at the provider from its start to the callback. An encrypted cookie binds it to one browser. */
import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { HttpRequest } from '../../../http/request.ts'
import type { Binding } from '../../../secrets/sealing.ts'
import type { AuthServices } from '../services.ts'
import { signInFailure } from './problems.ts'
import type { Attempt } from './providerClient.ts'

const lifetimeMs = 600_000

/** The place to which the user returns afterwards: a page, or the app with a code. */
export type Return =
  | { readonly to: 'page'; readonly url: string; readonly errorUrl?: string | undefined }
  | { readonly to: 'app'; readonly state: string; readonly challenge: string }
  /** The identity is linked to the account of this user, if the user is still signed in. */
  | { readonly to: 'account'; readonly userId: string; readonly url: string; readonly errorUrl?: string | undefined }

export interface Flow extends Attempt {
  readonly begunAt: number
  readonly then: Return
}

type Services = Pick<AuthServices, 'flows' | 'origins'>

/** Creates a flow. In the browser its cookie replaces that of an earlier flow. */
export function newFlow(then: Return, request: HttpRequest, providerId: string, { origins }: Services): Flow {
  const random = () => randomBytes(32).toString('base64url')
  const redirectUri = `${origins.baseUrl(request)}/api/auth/oauth2/callback/${providerId}`
  return { state: random(), nonce: random(), verifier: random(), redirectUri, begunAt: request.receivedAt, then }
}

function cookieName(secure: boolean): string {
  return secure ? '__Host-signalbox-flow' : 'signalbox-flow'
}

function cookie(value: string, maxAge: number, request: HttpRequest, { origins }: Services): string {
  const secure = origins.secure(request)
  // Lax, since the provider's redirect is a navigation from another site.
  return `${cookieName(secure)}=${value}; Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`
}

/** The provider redirects the browser to the origin at which the flow began. */
const bindingOf = (request: HttpRequest, { origins }: Services): Binding => ({
  owner: 'sign-in',
  origin: origins.baseUrl(request),
})

export function flowCookie(flow: Flow, request: HttpRequest, services: Services): string {
  return cookie(
    services.flows.seal(JSON.stringify(flow), bindingOf(request, services)),
    lifetimeMs / 1000,
    request,
    services,
  )
}

export function clearedFlowCookie(request: HttpRequest, services: Services): string {
  return cookie('', 0, request, services)
}

/**
 * The flow that this browser began and to which the provider's answer belongs. It may have expired (`refuseLate`): its failure is then
 * sent to the page or app of the flow.
 * @throws Failure
 */
export function flowOf(request: HttpRequest, services: Services): Flow {
  const states = new URLSearchParams(request.query).getAll('state')
  const name = cookieName(services.origins.secure(request))
  for (const sealed of cookieValues(request.headers.get('cookie'), name)) {
    const opened = services.flows.open(sealed, bindingOf(request, services))
    const flow = opened.type === 'opened' ? (JSON.parse(opened.secret) as Flow) : undefined
    if (flow && states.length === 1 && same(states[0] ?? '', flow.state)) return flow
  }
  throw signInFailure('flow_unknown')
}

/** @throws Failure */
export function refuseLate(flow: Flow, request: HttpRequest): void {
  if (request.receivedAt - flow.begunAt >= lifetimeMs) throw signInFailure('flow_expired')
}

function cookieValues(header: string | undefined, name: string): string[] {
  const pairs = (header ?? '').split(';').map((pair) => pair.trim())
  return pairs.filter((pair) => pair.startsWith(`${name}=`)).map((pair) => pair.slice(name.length + 1))
}

function same(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}
