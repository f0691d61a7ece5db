/** At rest the outbox is empty: no effect is pending and none has failed. */
import type { Checker } from '../seen.ts'

export const outboxIsEmpty: Checker = ({ outbox }) =>
  outbox.map(({ id, type, to, failed }) => ({
    what: `${id} (${type} to ${to}) ${failed ? 'has failed' : 'is still pending'}`,
    ids: [id.replace(/:\d+:\d+$/, ''), to],
  }))
