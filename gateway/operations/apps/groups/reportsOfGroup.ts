import { crashGroupMembers } from '../../../../machines/apps/crashGroupKeys.ts'
import type { RowQuery } from '../../../../storage/ports/views.ts'

/** The reports of a group, as a condition of a list of reports. */
export function reportsOfGroup(groupId: string): Pick<RowQuery, 'memberOf'> {
  return { memberOf: { actorId: groupId, prefix: crashGroupMembers.report.prefix } }
}
