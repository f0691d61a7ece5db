import { memberKeys } from '../framework/memberKeys.ts'

/** The notifications that a user has marked as read one by one. */
export const readMarkMembers = memberKeys('read/')
