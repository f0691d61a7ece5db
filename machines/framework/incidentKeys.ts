import { memberKeys } from './memberKeys.ts'

/** Open incidents, by the ID of the effect. The value is the type of the effect. */
export const incidentMembers = memberKeys('incident/')
