/** Users and sessions in the shapes that Better Auth's clients know. */
import type { ActorRow } from '../../../spec/core/actor.ts'
import { toDateTime } from '../../../spec/core/types.ts'

/** What changes stands in the context, the rest in what the actor was made with. */
export function fieldOf(row: ActorRow, name: string): string | undefined {
  const value = row.context[name] ?? row.init[name]
  return typeof value === 'string' ? value : undefined
}

export function momentOf(row: ActorRow, name: string): number | undefined {
  const value = row.context[name] ?? row.init[name]
  return typeof value === 'number' ? value : undefined
}

function optionalDate(ms: number | undefined): string | null {
  return ms === undefined ? null : toDateTime(ms)
}

export function userBody(row: ActorRow) {
  return {
    id: row.id,
    email: fieldOf(row, 'email') ?? null,
    name: fieldOf(row, 'name') ?? null,
    image: null,
    // Password accounts need no confirmation; of the others it is what the provider said.
    emailVerified: row.init.emailVerified === true,
    createdAt: toDateTime(row.createdAt),
    updatedAt: toDateTime(row.changedAt),
  }
}

export function sessionBody(row: ActorRow) {
  return {
    id: row.id,
    userId: row.columns.scopeId ?? fieldOf(row, 'userId') ?? null,
    expiresAt: optionalDate(momentOf(row, 'expiresAt')),
    createdAt: toDateTime(row.createdAt),
    updatedAt: toDateTime(row.changedAt),
    ipAddress: null,
    userAgent: fieldOf(row, 'userAgent') ?? null,
  }
}

/** As one of a list: never with its token. Its use is recorded at most once a day. */
export function listedSessionBody(row: ActorRow, currentId: string) {
  return {
    ...sessionBody(row),
    lastUsedAt: optionalDate(momentOf(row, 'touchedAt')),
    current: row.id === currentId,
  }
}

/** As Better Auth's admin plugin knows them. All have the same access, which there is called a role. */
export function adminUserBody(row: ActorRow) {
  return { ...userBody(row), role: 'admin', banned: row.columns.status === 'DISABLED' }
}

export function apiKeyBody(row: ActorRow) {
  return {
    id: row.id,
    name: fieldOf(row, 'name') ?? null,
    prefix: 'svc_',
    enabled: row.columns.status === 'ACTIVE',
    userId: row.columns.scopeId ?? fieldOf(row, 'userId') ?? null,
    expiresAt: optionalDate(momentOf(row, 'expiresAt')),
    createdAt: toDateTime(row.createdAt),
    updatedAt: toDateTime(row.changedAt),
    lastRequest: optionalDate(momentOf(row, 'touchedAt')),
  }
}

/** Accounts are found by their address in lower case. */
export function accountKey(email: string): string {
  return email.trim().toLowerCase()
}
