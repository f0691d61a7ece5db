/** Finds the holder of a credential by the SHA-256 of its token. Every actor that the credential depends on must be valid. */

import { isRowOfKind } from '../../machines/rows.ts'
import { isValidSession } from '../../spec/accounts/validSession.ts'
import type { ActorRow } from '../../spec/core/actor.ts'
import type { Principal } from '../../spec/core/principal.ts'
import type { TypedViews } from '../operations/typedViews.ts'
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
  /** IDs of the actors whose changes can invalidate the credential. */
  readonly actors: readonly string[]
  /** The first use of an agent's next credential. The agent receives a message, which ends the former credential. */
  readonly firstUse?: boolean
  /** When the last use of a session or key was recorded. */
  readonly touchedAt?: number | undefined
  /** When the session was created. Milliseconds since 1970. */
  readonly createdAt?: number
}

export interface IdentitySource {
  readonly views: TypedViews
  readonly secrets: SecretKeys
  now(): number
}

/** Returns whether this row, one of an identity's actors, still allows the credential. */
export function isValidCredential(
  row: ActorRow,
  hash: string,
  source: Pick<IdentitySource, 'secrets' | 'now'>,
): boolean {
  const { columns } = row
  if (columns.terminal) return false
  if (isRowOfKind('authSession', row))
    return isValidSession(row, { acceptedKeyIds: source.secrets.acceptedKeyIds, now: source.now() })
  switch (row.kind) {
    case 'user':
      return columns.status === 'ACTIVE'
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

/** Returns whether the row is an agent that was revoked, and the credential was its own. */
export function isRevokedAgent({ kind, columns }: ActorRow, hash: string): boolean {
  return kind === 'agent' && columns.status === 'REVOKED' && (columns.uniqueKey === hash || columns.otherKey === hash)
}

/** Of a session or an API key; the other credentials have no end. */
export function expiryOf(row: ActorRow): number | undefined {
  if (isRowOfKind('authSession', row)) return row.context.expiresAt
  return isRowOfKind('apiKey', row) ? (row.context.expiresAt ?? row.init.expiresAt ?? undefined) : undefined
}

function expired(row: ActorRow, now: number): boolean {
  const at = expiryOf(row)
  return at !== undefined && at <= now
}

/** The holder of a credential, or undefined if the credential is not valid for another reason than the end of its agent. */
export type FoundIdentity = Identity | 'AGENT_REVOKED' | undefined

/** Rejects if the database is unavailable. */
export async function findIdentity(credential: KeyedCredential, source: IdentitySource): Promise<FoundIdentity> {
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
  if (!row || !isValidCredential(row, hash, source)) return undefined
  const user = await source.views.get('user', row.columns.scopeId ?? row.init.userId)
  if (user === undefined || !isValidCredential(user, hash, source)) return undefined
  const principal: Principal =
    kind === 'apiKey' ? { kind, userId: user.id, keyId: row.id } : { kind: 'user', userId: user.id, sessionId: row.id }
  const { touchedAt } = row.context
  return {
    principal,
    hash,
    expiresAt: expiryOf(row),
    actors: [row.id, user.id],
    touchedAt: touchedAt ?? undefined,
    createdAt: row.createdAt,
  }
}

async function ofAgent(hash: string, source: IdentitySource): Promise<FoundIdentity> {
  const row = await source.views.findByKey('agent', hash)
  if (row && isRevokedAgent(row, hash)) return 'AGENT_REVOKED'
  if (!row || !isValidCredential(row, hash, source)) return undefined
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
  if (!row || agentId === undefined || !isValidCredential(row, hash, source)) return undefined
  // A run's token is not valid after its agent is revoked.
  const agent = await source.views.get('agent', agentId)
  if (agent === undefined || agent.columns.terminal) return undefined
  return { principal: { kind: 'run', runId: row.id, agentId }, hash, expiresAt: undefined, actors: [row.id] }
}
