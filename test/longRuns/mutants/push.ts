/** Faults in notifications: who receives them, how often, and how Apple's answers are interpreted. */
import type { Lookout, Mutant } from './mutant.ts'

const notifications: Lookout = { file: 'test/actors/effects/push/notifications.test.ts' }
const answers: Lookout = { file: 'test/actors/effects/apns/answers.test.ts' }
const news: Lookout = { file: 'test/machines/news.test.ts' }
const devices: Lookout = { file: 'test/gateway/devices/pushDevices.test.ts' }

export const push: readonly Mutant[] = [
  {
    name: 'one notification for all devices',
    fault: 'The ID of a notification does not depend on its device.',
    file: 'actors/effects/notify.ts',
    search: '[request.id, deviceId]',
    replace: '[request.id]',
    tests: [notifications],
  },
  {
    name: 'notification sent twice',
    fault: 'The ID of a notification is new at each attempt.',
    file: 'actors/effects/notify.ts',
    search: '[request.id, deviceId]',
    replace: '[request.id, deviceId, Math.random()]',
    tests: [notifications],
  },
  {
    name: 'device of an ended session notified',
    fault: 'A device is notified after the session that registered it has ended.',
    file: 'actors/effects/push/reachable.ts',
    search: "isRowOfKind('authSession', session) && isValidSession(session, rules)",
    replace: "isRowOfKind('authSession', session) && rules.now > 0",
    tests: [notifications],
  },
  {
    name: 'device of a disabled user notified',
    fault: 'A device is notified although its user is disabled.',
    file: 'actors/effects/push/reachable.ts',
    search: "isRowOfKind('user', user) && user.columns.status === 'ACTIVE'",
    replace: "isRowOfKind('user', user)",
    tests: [notifications],
  },
  {
    name: 'outdated answer of Apple',
    fault: 'A report that a token was invalid before the device was registered again makes the device INACTIVE.',
    file: 'actors/effects/push/push.ts',
    search: '(outcome.gone.since ?? Number.POSITIVE_INFINITY) > registeredAt',
    replace: 'registeredAt > 0',
    tests: [notifications],
  },
  {
    name: 'newer registration ended',
    fault: 'A report about the token of an earlier registration makes the device INACTIVE.',
    file: 'machines/devices/notificationDevice.ts',
    search: ' || event.revision !== context.revision',
    replace: '',
    tests: [{ file: 'test/machines/goldenTables.test.ts', only: 'notificationDevice' }],
  },
  {
    name: 'Retry-After ignored',
    fault: 'A push is retried earlier than Apple has requested.',
    file: 'machines/devices/notification.ts',
    search: 'Math.max(retryAfterMs ?? 0, ',
    replace: 'Math.max(retryAfterMs === null ? 0 : 0, ',
    tests: [notifications],
  },
  {
    name: 'provider token renewed too often',
    fault: 'A new provider token is created although the last one is younger than 20 minutes.',
    file: 'actors/effects/apns/providerToken.ts',
    search: 'this.#made.at + minAgeMs - this.#clock.now()',
    replace: 'this.#made.at + 60_000 - this.#clock.now()',
    tests: [answers],
  },
  {
    name: 'news of the same question',
    fault: 'Users are notified again about the same question.',
    file: 'machines/runs/runActions.ts',
    search: 'const asks = question !== null && question.id !== context.question?.id',
    replace: 'const asks = question !== null',
    tests: [news],
  },
  {
    name: 'device outlives its session',
    fault: 'A sign-out leaves the device registered.',
    file: 'gateway/operations/accounts/sessions.ts',
    search: 'await removeSessionDevices(call, principal)',
    replace: 'await Promise.resolve()',
    tests: [devices],
  },
]
