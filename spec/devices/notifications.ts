/** Notifications: the news that every user sees, each with the user's own marks of what they have read. */
import * as v from 'valibot'
import { connectionOf, pageArguments } from '../core/connections.ts'
import { purgeRuleOf } from '../core/kinds.ts'
import { oneOf } from '../core/oneOf.ts'
import { mutation, query, subscription } from '../core/operation.ts'
import { dateTime, id, idOf, int, named, text } from '../core/types.ts'
import { actorKindName } from '../operators/actorRecord.ts'
import { newsReasons } from './news.ts'

/** The maximum number of notifications that a user has marked as read one by one, after those that were marked together. */
export const readMarksMax = 10_000
const idsMax = 100
/** More unread notifications than these are not counted, so that a count takes a few milliseconds at most. */
export const unreadCountMax = 10_000
const { days, rows } = purgeRuleOf('news')

const notificationReason = named(
  'NotificationReason',
  'The event. WAITING_FOR_INPUT: a run asks a question or a step needs an approval. RUN_ENDED, PLAN_ENDED, BUILD_ENDED, DEPLOYMENT_ENDED: see `status`. ' +
    'INCIDENT: an effect failed permanently. AGENT_LOST: an agent with active work sends no heartbeats. ACTION_NEEDED: a signing asset expires within 30 days or has expired, a schedule could not start its workflow, or a push could not start its build; `title` has which. DEVICE_ENROLLED: a device was enrolled.',
  v.picklist(newsReasons),
)

export const notificationSchema = named(
  'Notification',
  'One piece of news, for the caller.',
  v.object({
    id,
    reason: notificationReason,
    status: v.pipe(
      v.nullable(v.string()),
      v.description('The status in which the run, the plan or the build ended. Null for other reasons.'),
    ),
    title: v.pipe(v.string(), v.description('The title of the push notification: the event.')),
    body: v.pipe(
      v.string(),
      v.description('The text of the push notification: the name of the object, and of the agent if there is one.'),
    ),
    actorId: v.pipe(id, v.description('The object that it is about.')),
    actorKind: actorKindName,
    objectId: v.pipe(
      id,
      v.description(
        'The object whose page shows it: for a step its run, for a schedule its workflow, for the build of a push its build configuration. Otherwise `actorId`.',
      ),
    ),
    at: v.pipe(dateTime, v.description('The time of the event.')),
    isRead: v.pipe(v.boolean(), v.description('Whether the caller has marked it as read.')),
  }),
)

const unreadCount = v.pipe(
  int,
  v.description(
    `The number of the caller’s notifications that are not read. More than ${unreadCountMax} are counted as ${unreadCountMax}.`,
  ),
)

export const notifications = query({
  name: 'notifications',
  description:
    'Returns the notifications of the caller, newest first: the news since the user exists that is at most ' +
    `${days} days old, and of that the newest ${rows}. Other users do not see which ones are read.`,
  access: 'people',
  tool: {
    group: 'discovery',
    name: 'get_notifications',
    title: 'List notifications',
    description:
      'Lists the notifications of the calling user, newest first: runs that ended or wait for an answer, plans that ended, ' +
      'incidents, lost agents. `objectId` is the object: `get_run` or `get_actor` returns it. For a step that needs an approval it is the run, and `decide_approval` takes `actorId`. `unreadOnly: true` leaves out what ' +
      'the user has read. `mark_notifications_read` marks them. Continue with `after: pageInfo.endCursor`. ' +
      '`get_action_center` returns what still waits for a person.',
  },
  input: v.object({
    ...pageArguments,
    unreadOnly: v.pipe(v.nullish(v.boolean()), v.description('Returns only notifications that are not read.')),
    language: v.pipe(
      v.nullish(text({ min: 1, max: 100 })),
      v.description('The language of titles and bodies, as a tag: `de-CH`. English if it is not supported or omitted.'),
    ),
  }),
  output: connectionOf('Notification', notificationSchema, { unreadCount }),
})

export const markNotificationsRead = mutation({
  name: 'markNotificationsRead',
  description: 'Marks notifications as read for the caller. To mark one again has no effect.',
  access: 'people',
  tool: {
    group: 'discovery',
    title: 'Mark notifications as read',
    description:
      'Marks notifications of the calling user as read: `notifications: {ids: [...]}` for some, `notifications: {upTo: ID}` for one ' +
      'and all that are older. `get_notifications` has the IDs.',
    idempotent: true,
  },
  input: v.object({
    notifications: oneOf('NotificationsToMarkInput', 'Which notifications. Give exactly one of the fields.', {
      ids: v.pipe(
        v.array(idOf('news')),
        v.minLength(1, 'must have at least one ID'),
        v.maxLength(idsMax, `must have at most ${idsMax}`),
        v.description(`The IDs of 1 to ${idsMax} notifications.`),
      ),
      upTo: v.pipe(
        idOf('news'),
        v.description(
          'This notification and all that are before it in the order of time. One that is stored at the moment of the request may be marked too.',
        ),
      ),
    }),
  }),
  output: named('MarkNotificationsReadPayload', 'The number that is left.', v.object({ unreadCount })),
})

export const notificationsChanged = subscription({
  name: 'notificationsChanged',
  description:
    'Sends the number of the caller’s unread notifications: the current number first, and then within a few seconds after each ' +
    'new notification and each mark. Read `notifications` again after each.',
  access: 'people',
  input: undefined,
  output: named(
    'NotificationsChange',
    'The caller’s notifications after a change.',
    v.object({
      unreadCount,
      newestId: v.pipe(
        v.nullable(id),
        v.description('The ID of the newest notification. Null if the caller has no notifications.'),
      ),
    }),
  ),
})
