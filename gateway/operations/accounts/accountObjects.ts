import { apiKeySchema, userSchema } from '../../../spec/accounts/accountObjects.ts'
import { toDateTime } from '../../../spec/core/types.ts'
import type { ObjectType } from '../objectType.ts'

export const userType: ObjectType<'user', typeof userSchema> = {
  name: 'User',
  kind: 'user',
  schema: userSchema,
  relations: {},
  fromRow: ({ id, context, createdAt }) => ({ id, name: context.name, createdAt: toDateTime(createdAt) }),
  isShown: ({ columns }) => !columns.terminal,
}

export const apiKeyType: ObjectType<'apiKey', typeof apiKeySchema> = {
  name: 'ApiKey',
  kind: 'apiKey',
  schema: apiKeySchema,
  relations: {
    user: {
      type: 'one',
      target: 'User',
      by: 'userId',
      nullable: true,
      description: 'The user whose key it is. Null if the user was removed.',
    },
  },
  fromRow: ({ id, init, createdAt }) => ({
    id,
    name: init.name,
    userId: init.userId,
    createdAt: toDateTime(createdAt),
  }),
}
