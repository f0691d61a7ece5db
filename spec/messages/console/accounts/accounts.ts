/** The pages of a user's own account and of all accounts. */
import { defineMessages } from '../message.ts'
import { apiKeyMessages } from './apiKeys.ts'
import { authSessionMessages } from './authSessions.ts'
import { ownAccountMessages } from './ownAccount.ts'
import { userMessages } from './users.ts'

export const accountsMessages = defineMessages({
  /** The name of a button or dialog that concerns one of several keys, sessions or users. */
  actionOn: {
    en: '{action}: {name}',
    de: '{action}: {name}',
    fr: '{action} : {name}',
    es: '{action}: {name}',
    ja: '{action}: {name}',
  },
  /** Replaces the name of an identity provider, after the same words as the name. */
  theProvider: { en: 'the provider', de: 'dem Anbieter', fr: 'le fournisseur', es: 'el proveedor', ja: 'プロバイダー' },
  own: ownAccountMessages,
  sessions: authSessionMessages,
  apiKeys: apiKeyMessages,
  users: userMessages,
})
