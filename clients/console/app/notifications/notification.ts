/** A notification as the API has it, and the page of its object. */
import { graphql, type ResultOf } from '../data/graphql.ts'
import { getStatusTone, type StatusTone } from '../parts/statusTone.ts'
import { getObjectPath } from '../router.ts'

export const notificationsQuery = graphql(`query ($after: String, $unreadOnly: Boolean, $language: String) {
  notifications(first: 30, after: $after, unreadOnly: $unreadOnly, language: $language) {
    totalCount nodes { id reason status title body objectId at isRead } pageInfo { hasNextPage endCursor }
  }
}`)

export const markReadMutation = graphql(
  'mutation ($input: MarkNotificationsReadInput!) { markNotificationsRead(input: $input) { unreadCount } }',
)

export type NotificationNode = ResultOf<typeof notificationsQuery>['notifications']['nodes'][number]

const tones: Readonly<Record<NotificationNode['reason'], StatusTone>> = {
  WAITING_FOR_INPUT: 'attention',
  ACTION_NEEDED: 'attention',
  INCIDENT: 'failed',
  AGENT_LOST: 'failed',
  DEVICE_ENROLLED: 'good',
  RUN_ENDED: 'idle',
  PLAN_ENDED: 'idle',
  BUILD_ENDED: 'idle',
  DEPLOYMENT_ENDED: 'idle',
}

export function getNotificationTone({ reason, status }: Pick<NotificationNode, 'reason' | 'status'>): StatusTone {
  // A reason may be newer than this page.
  return status === null ? (tones[reason] ?? 'idle') : getStatusTone(status)
}

export function getNotificationPath({ reason, objectId }: Pick<NotificationNode, 'reason' | 'objectId'>): string {
  // The object is the enrollment, which has no page of its own.
  return reason === 'DEVICE_ENROLLED' ? '/settings/devices' : getObjectPath(objectId)
}
