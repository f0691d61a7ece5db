/** The members of the registration. */
import { memberKeys } from '../framework/memberKeys.ts'

export const registrationMembers = Object.freeze({
  /** Accounts, by the ID of the user. */
  user: memberKeys('user/'),
  /** The IDs of the users, by email address in lower case. */
  email: memberKeys('email/'),
  /** The IDs of the users, by the identity at the provider. */
  identity: memberKeys('identity/'),
  /** Users that were removed before their actor was created, by ID. */
  gone: memberKeys('gone/'),
})
