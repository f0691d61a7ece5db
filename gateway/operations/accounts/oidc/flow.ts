/** A sign-in at the provider from its start to the callback. An encrypted cookie binds it to one browser. */
import { randomBytes } from 'node:crypto'
import type { HttpRequest } from '../../../http/request.ts'
import { isSameText } from '../../../secrets/sameText.ts'
import type { Binding } from '../../../secrets/sealing.ts'
import type { AuthServices } from '../services.ts'
import { signInFailure } from './problems.ts'
import type { SignInAttempt } from './providerClient.ts'

const lifetimeMs = 600_000

/** The place to which the user returns afterwards: a page, or the app with a code. */
export type FlowReturn =
  | { readonly to: 'page'; readonly url: string; readonly errorUrl?: string | undefined }
  | { readonly to: 'app'; readonly state: string; readonly challenge: string }
  /** The identity is linked to the account of this user, if the user is still signed in. */
  | { readonly to: 'account'; readonly userId: string; readonly url: string; readonly errorUrl?: string | undefined }

export interface SignInFlow extends SignInAttempt {
  readonly begunAt: number
  readonly then: FlowReturn
}

type Services = Pick<AuthServices, 'flows' | 'origins'>

/** Creates a flow. In the browser its cookie replaces that of an earlier flow. */
export function createFlow(
  then: FlowReturn,
  request: HttpRequest,
  providerId: string,
  { origins }: Services,
): SignInFlow {
  const random = () => randomBytes(32).toString('base64url')
  const redirectUri = `${origins.baseUrl(request)}/api/auth/oauth2/callback/${providerId}`
  return { state: random(), nonce: random(), verifier: random(), redirectUri, begunAt: request.receivedAt, then }
}

function cookieName(secure: boolean): string {
  return secure ? '__Host-signalbox-flow' : 'signalbox-flow'
}

function formatCookie(value: string, maxAge: number, request: HttpRequest, { origins }: Services): string {
  const secure = origins.secure(request)
  // Lax, since the provider's redirect is a navigation from another site.
  return `${cookieName(secure)}=${value}; Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`
}

/** The provider redirects the browser to the origin at which the flow began. */
const makeBinding = (request: HttpRequest, { origins }: Services): Binding => ({
  owner: 'sign-in',
  origin: origins.baseUrl(request),
})

export function flowCookie(flow: SignInFlow, request: HttpRequest, services: Services): string {
  return formatCookie(
    services.flows.seal(JSON.stringify(flow), makeBinding(request, services)),
    lifetimeMs / 1000,
    request,
    services,
  )
}

export function clearedFlowCookie(request: HttpRequest, services: Services): string {
  return formatCookie('', 0, request, services)
}

/**
 * The flow that this browser began and to which the provider's answer belongs. It may have expired (`refuseLate`): its failure is then
 * sent to the page or app of the flow.
 * @throws Failure
 */
export function readFlow(request: HttpRequest, services: Services): SignInFlow {
  const states = new URLSearchParams(request.query).getAll('state')
  const name = cookieName(services.origins.secure(request))
  for (const encrypted of cookieValues(request.headers.get('cookie'), name)) {
    const decrypted = services.flows.open(encrypted, makeBinding(request, services))
    const flow = decrypted.type === 'opened' ? (JSON.parse(decrypted.secret) as SignInFlow) : undefined
    if (flow && states.length === 1 && isSameText(states[0] ?? '', flow.state)) return flow
  }
  throw signInFailure('flow_unknown')
}

/** @throws Failure */
export function refuseExpired(flow: SignInFlow, request: HttpRequest): void {
  if (request.receivedAt - flow.begunAt >= lifetimeMs) throw signInFailure('flow_expired')
}

function cookieValues(header: string | undefined, name: string): string[] {
  const pairs = (header ?? '').split(';').map((pair) => pair.trim())
  return pairs.filter((pair) => pair.startsWith(`${name}=`)).map((pair) => pair.slice(name.length + 1))
}
