import { toDateTime } from '../../../spec/core/types.ts'

/** The time as the API has it. @param ms milliseconds since 1970, or null if it has not come */
export const moment = (ms: number | null): string | null => (ms === null ? null : toDateTime(ms))
