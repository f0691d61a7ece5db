/** Converts users, sessions and API keys to the response bodies that Better Auth's clients expect. */
import type { TypedRow } from '../../../machines/rows.ts'
import { toDateTime } from '../../../spec/core/types.ts'

/** The hash of the current password. Undefined if the account was created without a password. */
export function readPasswordHash({ context, init }: TypedRow<'user'>): string | undefined {
  return context.passwordHash ?? init.passwordHash ?? undefined
}

function dateOrNull(ms: number | null): string | null {
  return ms === null ? null : toDateTime(ms)
}

export function userBody(row: TypedRow<'user'>) {
  return {
    id: row.id,
    email: row.init.email,
    name: row.context.name,
    image: null,
    // Password accounts need no confirmation. For other accounts it is the claim of the provider.
    emailVerified: row.init.emailVerified === true,
    createdAt: toDateTime(row.createdAt),
    updatedAt: toDateTime(row.changedAt),
  }
}

export function sessionBody(row: TypedRow<'authSession'>) {
  return {
    id: row.id,
    userId: row.columns.scopeId ?? row.init.userId,
    expiresAt: toDateTime(row.context.expiresAt),
    createdAt: toDateTime(row.createdAt),
    updatedAt: toDateTime(row.changedAt),
    ipAddress: null,
    userAgent: row.init.userAgent,
  }
}

/** An entry of the list of sessions. It never contains the token. Its last use is recorded at most once a day. */
export function listedSessionBody(row: TypedRow<'authSession'>, currentId: string) {
  return {
    ...sessionBody(row),
    lastUsedAt: toDateTime(row.context.touchedAt),
    current: row.id === currentId,
  }
}

/** The body of Better Auth's admin plugin. It requires a role, and all users have the same access. */
export function adminUserBody(row: TypedRow<'user'>) {
  return { ...userBody(row), role: 'admin', banned: row.columns.status === 'DISABLED' }
}

export function apiKeyBody(row: TypedRow<'apiKey'>) {
  return {
    id: row.id,
    name: row.init.name,
    prefix: 'svc_',
    enabled: row.columns.status === 'ACTIVE',
    userId: row.columns.scopeId ?? row.init.userId,
    expiresAt: dateOrNull(row.context.expiresAt ?? row.init.expiresAt),
    createdAt: toDateTime(row.createdAt),
    updatedAt: toDateTime(row.changedAt),
    lastRequest: dateOrNull(row.context.touchedAt),
  }
}

/** The key by which an account is found: the email address in lower case. */
export function accountKey(email: string): string {
  return email.trim().toLowerCase()
}
