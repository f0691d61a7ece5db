/** The members of a worktree queue: its entries by the ID of the run, and the indexes of those that wait, by `<queuedAt>/<id>`. */
import { type MemberKeys, memberKeys } from '../framework/memberKeys.ts'

interface WaitIndexes {
  /** Waiting runs of one kind. */
  waiting(kind: string): MemberKeys
  /** Waiting exclusive runs of all kinds. */
  readonly exclusive: MemberKeys
}

/** The indexes of all waiting entries. */
const waitIndexes: WaitIndexes = {
  waiting: (kind) => memberKeys(`wait/${kind}/`),
  exclusive: memberKeys('excl/'),
}

/** The indexes of the waiting entries of child runs. */
const childWaitIndexes: WaitIndexes = {
  waiting: (kind) => memberKeys(`sub/wait/${kind}/`),
  exclusive: memberKeys('sub/excl/'),
}

export const queueMembers = Object.freeze({
  run: memberKeys('run/'),
  held: memberKeys('held/'),
  all: waitIndexes,
  children: childWaitIndexes,
})
