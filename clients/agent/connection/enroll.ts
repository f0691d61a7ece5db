import { hostname } from 'node:os'
import { backOffMs } from '../../../spec/core/backOff.ts'
import { version } from '../../../spec/settings/version.ts'
import {
  AgentFailure,
  ConnectionLost,
  ControlPlaneError,
  exitCodes,
  messageOf,
  toControlPlaneError,
} from '../failures.ts'
import type { Logger } from '../log.ts'
import { type EnrollPayload, enrollAgent } from '../operations.ts'
import type { Identity } from '../state.ts'
import { sleep } from '../wait.ts'
import { reconnectPolicy } from './connection.ts'
import type { CredentialStore } from './credential.ts'
import { beginEnrollment, endEnrollment } from './enrollmentRecord.ts'
import { replaceIdentity } from './newIdentity.ts'

export interface Enrollment {
  folder: string
  server: string
  token: string
  name: string | undefined
  credentials: CredentialStore
  log: Logger
  /** Aborts the enrollment. The next one with the same token continues it. */
  signal?: AbortSignal
}

/**
 * Exchanges the one-time token for a credential and an identity, which replace those of a former enrollment. The idempotency key is on
 * disk before the first call. If an agent stops between the response and its storage, it repeats the call with the same key and receives
 * another credential. Waits if the control plane is unreachable.
 * @throws AgentFailure if the token is rejected, ConnectionLost if `signal` aborts
 */
export async function enroll(enrollment: Enrollment): Promise<Identity> {
  const { folder, server, token, credentials, log, signal } = enrollment
  const idempotencyKey = await beginEnrollment(folder, token)
  for (let failures = 1; ; failures++) {
    if (signal?.aborted) throw new ConnectionLost('The agent is stopping.')
    try {
      const { credential, agentId, name, agentWsUrl } = await post(enrollment, idempotencyKey)
      const identity = { agentId, name, agentWsUrl, server }
      await replaceIdentity(folder, credentials, { credential, identity })
      log.info('Enrolled.', { agentId, name })
      return identity
    } catch (error) {
      if (error instanceof ControlPlaneError && !error.retryable) {
        await endEnrollment(folder)
        throw refused(error)
      }
      const waitMs = backOffMs(reconnectPolicy, failures)
      log.warn('The control plane did not answer the enrollment; trying again.', {
        reason: messageOf(error),
        waitMs: Math.round(waitMs),
      })
      await sleep(waitMs, signal)
    }
  }
}

async function post({ server, token, name, signal }: Enrollment, idempotencyKey: string): Promise<EnrollPayload> {
  const facts = { hostname: hostname(), platform: process.platform, arch: process.arch, version }
  const input = { token, ...facts, ...(name === undefined ? {} : { name }), idempotencyKey }
  const response = await fetch(`${server}/api/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/graphql-response+json, application/json' },
    body: JSON.stringify({ query: enrollAgent.document, variables: { input } }),
    // A redirect would send the token to another server.
    redirect: 'error',
    signal: AbortSignal.any([AbortSignal.timeout(20_000), ...(signal ? [signal] : [])]),
  })
  const body = (await response.json().catch(() => ({}))) as Answer
  const payload = body.data?.enrollAgent
  if (payload) return payload
  if (body.errors?.length && body.errors[0]?.extensions?.code !== undefined) throw toControlPlaneError(body.errors)
  const final = response.status >= 400 && response.status < 500 && response.status !== 429
  const code = response.status === 401 ? 'UNAUTHENTICATED' : 'UNAVAILABLE'
  throw new ControlPlaneError(code, `It answered ${response.status}.`, !final)
}

interface Answer {
  data?: { enrollAgent?: EnrollPayload | null } | null
  errors?: { message: string; extensions?: Record<string, unknown> }[]
}

function refused(error: ControlPlaneError): AgentFailure {
  const why = error.code === 'UNAUTHENTICATED' ? 'it is unknown, used or expired' : error.message
  return new AgentFailure(
    exitCodes.credential,
    `The control plane refused the enrollment token (${why}); make a new one with createEnrollmentToken and start again with it in SIGNALBOX_TOKEN.`,
  )
}
