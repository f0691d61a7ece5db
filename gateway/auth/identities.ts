/** Finds who holds a credential: its SHA-256 is looked up, and every actor that it depends on must be alive. */

import { isValidSession } from '../../spec/accounts/validSession.ts'
import type { ActorRow } from '../../spec/core/actor.ts'
import type { Principal } from '../../spec/core/principal.ts'
import type { Views } from '../../storage/ports/views.ts'
import type { SecretKeys } from '../options.ts'
import type { Credential } from './credentials.ts'
import { sha256Hex } from './tokens.ts'

export type KeyedCredential = Extract<Credential, { token: string }>

export interface Identity {
  readonly principal: Principal
  /** SHA-256 of the token. */
  readonly hash: string
  /** Milliseconds since 1970. */
  readonly expiresAt: number | undefined
  /** IDs of the actors whose change may end it. */
  readonly actors: readonly string[]
  /** An agent's next credential, used for the first time: the agent is told, which ends the former. */
  readonly firstUse?: boolean
  /** When a session or key was last told that it is in use. */
  readonly touchedAt?: number | undefined
  /** Of a session. Milliseconds since 1970. */
  readonly createdAt?: number
}

export interface IdentitySource {
  readonly views: Views
  readonly secrets: SecretKeys
  now(): number
}

/** Whether this row, one of an identity's actors, still lets the credential be valid. */
export function vouches(row: ActorRow, hash: string, source: Pick<IdentitySource, 'secrets' | 'now'>): boolean {
  const { columns } = row
  if (columns.terminal) return false
  switch (row.kind) {
    case 'user':
      return columns.status === 'ACTIVE'
    case 'authSession':
      return isValidSession(row, { acceptedKeyIds: source.secrets.acceptedKeyIds, now: source.now() })
    case 'apiKey':
      return columns.status === 'ACTIVE' && !expired(row, source.now())
    case 'agent':
      return columns.status !== 'REVOKED' && (columns.uniqueKey === hash || columns.otherKey === hash)
    case 'run':
      return columns.uniqueKey === hash || columns.otherKey === hash
    default:
      return true
  }
}

export function expiryOf(row: ActorRow): number | undefined {
  const at = row.context.expiresAt ?? row.init.expiresAt
  return typeof at === 'number' ? at : undefined
}

function expired(row: ActorRow, now: number): boolean {
  const at = expiryOf(row)
  return at !== undefined && at <= now
}

function ownerOf(row: ActorRow): string | undefined {
  const owner = row.columns.scopeId ?? row.init.userId
  return typeof owner === 'string' ? owner : undefined
}

/** @returns undefined where the credential is not valid. Rejects where storage is away. */
export async function findIdentity(credential: KeyedCredential, source: IdentitySource): Promise<Identity | undefined> {
  const hash = sha256Hex(credential.token)
  switch (credential.type) {
    case 'session':
      return await ofPerson('authSession', hash, source)
    case 'apiKey':
      return await ofPerson('apiKey', hash, source)
    case 'agent':
      return (await ofAgent(hash, source)) ?? (await ofRun(hash, source))
  }
}

async function ofPerson(
  kind: 'authSession' | 'apiKey',
  hash: string,
  source: IdentitySource,
): Promise<Identity | undefined> {
  const row = await source.views.findByKey(kind, hash)
  if (!row || !vouches(row, hash, source)) return undefined
  const userId = ownerOf(row)
  const user = userId === undefined ? undefined : await source.views.get(userId)
  if (user?.kind !== 'user' || !vouches(user, hash, source)) return undefined
  const principal: Principal =
    kind === 'apiKey' ? { kind, userId: user.id, keyId: row.id } : { kind: 'user', userId: user.id, sessionId: row.id }
  const { touchedAt } = row.context
  return {
    principal,
    hash,
    expiresAt: expiryOf(row),
    actors: [row.id, user.id],
    touchedAt: typeof touchedAt === 'number' ? touchedAt : undefined,
    createdAt: row.createdAt,
  }
}

async function ofAgent(hash: string, source: IdentitySource): Promise<Identity | undefined> {
  const row = await source.views.findByKey('agent', hash)
  if (!row || !vouches(row, hash, source)) return undefined
  return {
    principal: { kind: 'agent', agentId: row.id },
    hash,
    expiresAt: undefined,
    actors: [row.id],
    firstUse: row.columns.otherKey === hash,
  }
}

async function ofRun(hash: string, source: IdentitySource): Promise<Identity | undefined> {
  const row = await source.views.findByKey('run', hash)
  const agentId = row?.columns.agentId
  if (!row || agentId === undefined || !vouches(row, hash, source)) return undefined
  // A run's token is worth nothing once its machine is revoked.
  const agent = await source.views.get(agentId)
  if (agent?.kind !== 'agent' || agent.columns.terminal) return undefined
  return { principal: { kind: 'run', runId: row.id, agentId }, hash, expiresAt: undefined, actors: [row.id] }
}
