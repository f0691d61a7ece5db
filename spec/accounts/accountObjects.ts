/** Users and API keys as other objects show them. E-mail addresses are shown only by the account routes, and to their own user. */
import * as v from 'valibot'
import { dateTime, id, named } from '../core/types.ts'

export const userSchema = named(
  'User',
  'A person with an account. E-mail addresses are shown only by the account routes.',
  v.object({ id, name: v.string(), createdAt: dateTime }),
)

export const apiKeySchema = named(
  'ApiKey',
  'A key with which a script acts as its user.',
  v.object({ id, name: v.string(), userId: id, createdAt: dateTime }),
)
