import { memberKeys } from '../framework/memberKeys.ts'

/** The items of the Action Center that a user has seen, by the IDs of the items. */
export const seenMarkMembers = memberKeys('seen/')
