/** Schemas that the declarations of account routes share: users and sessions as they are returned, and the rules of passwords. */
import * as v from 'valibot'
import { dateTime, id, named, text } from '../core/types.ts'

/** The limit of the bodies, by its name. */
export const limit = 'authBodyBytes'

export const nullableText = v.nullable(v.string())

export const userEntries = {
  id,
  email: nullableText,
  name: nullableText,
  image: v.null(),
  emailVerified: v.boolean(),
  createdAt: dateTime,
  updatedAt: dateTime,
}
export const user = named('User', 'A user with an account.', v.object(userEntries))

export const sessionEntries = {
  id,
  userId: v.nullable(id),
  expiresAt: v.nullable(dateTime),
  createdAt: dateTime,
  updatedAt: dateTime,
  ipAddress: v.null(),
  userAgent: nullableText,
}

export const success = v.object({ success: v.literal(true) })
/** The answer of some of Better Auth's routes instead of `success`. */
export const done = v.object({ status: v.literal(true) })

export const sessionToken = v.pipe(v.string(), v.description('The token of the session, for `Authorization: Bearer`.'))
export const cookieTaken = { 'Set-Cookie': 'Clears the session cookie.' }

/** The rules of a new password. */
export const newPassword = v.pipe(
  v.string(),
  v.minLength(8, 'must have at least 8 characters'),
  v.maxLength(128, 'must have at most 128 characters'),
)

/** The fields of a new account. */
export const accountFields = {
  name: text({ min: 1, max: 200 }),
  email: v.pipe(text({ min: 3, max: 320 }), v.email('must be an email address')),
  password: newPassword,
}

/** The email address has an account, or the `Idempotency-Key` came with another one before. */
export const taken = {
  code: 'CONFLICT',
  extras: { field: v.optional(v.pipe(v.string(), v.description('The field whose value is already in use: `email`.'))) },
} as const
