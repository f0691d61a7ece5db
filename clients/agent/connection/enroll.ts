import { createHash, randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { join } from 'node:path'
import * as v from 'valibot'
import { backOffMs } from '../../../spec/core/backOff.ts'
import { AgentFailure, ControlPlaneError, exitCodes, messageOf, toControlPlaneError } from '../failures.ts'
import type { Logger } from '../log.ts'
import { type EnrollPayload, enrollAgent } from '../operations.ts'
import { type Identity, writeIdentity } from '../state.ts'
import { readJson, writeJson } from '../system/files.ts'
import { version } from '../version.ts'
import { sleep } from '../wait.ts'
import { reconnectPolicy } from './connection.ts'
import type { CredentialStore } from './credential.ts'

export interface Enrollment {
  folder: string
  server: string
  token: string
  name: string | undefined
  credentials: CredentialStore
  log: Logger
}

/**
 * Exchanges the one-time token for a credential. The idempotency key is on disk before the first call. If an agent stops between the
 * response and its storage, it repeats the call with the same key and receives another credential. Throws AgentFailure if the token
 * is rejected. Waits if the control plane is unreachable.
 */
export async function enroll(enrollment: Enrollment): Promise<Identity> {
  const idempotencyKey = await keyFor(enrollment.folder, enrollment.token)
  for (let failures = 1; ; failures++) {
    try {
      const payload = await post(enrollment, idempotencyKey)
      await enrollment.credentials.write(payload.credential)
      const { agentId, name, agentWsUrl } = payload
      const identity = { agentId, name, agentWsUrl, server: enrollment.server }
      await writeIdentity(enrollment.folder, identity)
      return identity
    } catch (error) {
      if (error instanceof AgentFailure) throw error
      if (error instanceof ControlPlaneError && !error.retryable) throw refused(error)
      const waitMs = backOffMs(reconnectPolicy, failures)
      enrollment.log.warn('The control plane did not answer the enrollment; trying again.', {
        reason: messageOf(error),
        waitMs: Math.round(waitMs),
      })
      await sleep(waitMs)
    }
  }
}

const EnrollmentRecord = v.object({ idempotencyKey: v.string(), tokenSha256: v.string() })

async function keyFor(folder: string, token: string): Promise<string> {
  const file = join(folder, 'enrollment.json')
  const tokenSha256 = createHash('sha256').update(token).digest('hex')
  const stored = v.safeParse(EnrollmentRecord, await readJson(file).catch(() => undefined))
  if (stored.success && stored.output.tokenSha256 === tokenSha256) return stored.output.idempotencyKey
  const idempotencyKey = randomUUID()
  await writeJson(file, { idempotencyKey, tokenSha256 })
  return idempotencyKey
}

async function post({ server, token, name }: Enrollment, idempotencyKey: string): Promise<EnrollPayload> {
  const facts = { hostname: hostname(), platform: process.platform, arch: process.arch, version }
  const input = { token, ...facts, ...(name === undefined ? {} : { name }), idempotencyKey }
  const response = await fetch(`${server}/api/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/graphql-response+json, application/json' },
    body: JSON.stringify({ query: enrollAgent.document, variables: { input } }),
    // A redirect would send the token to another server.
    redirect: 'error',
    signal: AbortSignal.timeout(20_000),
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
