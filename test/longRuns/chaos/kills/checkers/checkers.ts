/** The invariants after the chaos. Each is a pure function of the evidence. */

import type { Checker } from '../seen.ts'
import { answersAreTrue } from './answers.ts'
import { executedOnce } from './executions.ts'
import { followUpsHold } from './followUps.ts'
import { journalIsWhole } from './journal.ts'
import { limitsHold } from './limits.ts'
import { logsAreWhole } from './logs.ts'
import { orderHolds } from './order.ts'
import { outboxIsEmpty } from './outbox.ts'
import { comesToRest } from './rest.ts'
import { stepsHold } from './steps/stepsHold.ts'

export const checkers: Readonly<Record<string, { readonly says: string; readonly check: Checker }>> = Object.freeze({
  answersAreTrue: { says: 'no answer is wrong, refusals included', check: answersAreTrue },
  journalIsWhole: { says: 'no transition is lost or applied twice', check: journalIsWhole },
  executedOnce: { says: 'no attempt is executed twice', check: executedOnce },
  followUpsHold: {
    says: 'each follow-up becomes one run, in order, with its last text, unless it was withdrawn',
    check: followUpsHold,
  },
  stepsHold: {
    says: 'each start of a workflow is one run, and each of its steps is executed once per attempt, in order',
    check: stepsHold,
  },
  limitsHold: { says: 'limits and reservations hold', check: limitsHold },
  orderHolds: { says: 'no run passes an earlier one that it must wait for', check: orderHolds },
  comesToRest: {
    says: 'every run is terminal, shows what it waits for or has a deadline, and no actor is stuck',
    check: comesToRest,
  },
  logsAreWhole: { says: 'logs are complete, in order, and have the right SHA-256', check: logsAreWhole },
  outboxIsEmpty: { says: 'no effect is left in the outbox', check: outboxIsEmpty },
})
