/**
 * What an app exchanges for a session at the end of the native sign-in: it is good for a minute, once, for who holds the verifier.
 * Used twice, somebody has stolen it, and nobody can say which of the two: the session of the first use ends. That session is made
 * after the code was consumed, so a second use may come before it is there; then it ends as soon as it has been made.
 */
import { setup } from 'xstate'
import { Failure } from '../../spec/core/failure.ts'
import { kinds } from '../../spec/core/kinds.ts'
import { actOn, type Outcome } from '../framework/act.ts'
import { define, type MachineContext, typesOf } from '../framework/define.ts'

const lifetimeMs = 60_000
const rememberedMs = 86_400_000

export type AuthCodeInit = {
  /** SHA-256 of the code. */
  readonly codeHash: string
  /** S256 of the verifier (RFC 7636). */
  readonly challenge: string
  readonly userId: string
  readonly createdAt: number
}

export interface AuthCodeContext extends MachineContext {
  readonly init: AuthCodeInit
  readonly id: string
  /** Of the only use that counts; whoever finds another ID here was refused. */
  readonly sessionId: string | null
  readonly sessionMade: boolean
  readonly usedAgain: boolean
}

export type AuthCodeEvent =
  /** `challenge` is the S256 of the verifier that was shown, `sessionId` what the session would be named. */
  | { type: 'redeem'; at: number; challenge: string; sessionId: string }
  | { type: 'sessionMade'; at: number; sessionId: string }

const on = actOn<AuthCodeContext, AuthCodeEvent>()

const matches = ({ init }: AuthCodeContext, event: AuthCodeEvent): boolean =>
  event.type === 'redeem' && event.challenge === init.challenge

const machine = setup({
  types: typesOf<AuthCodeContext, AuthCodeEvent>(),
  delays: { lifetime: lifetimeMs, remembered: rememberedMs },
  guards: { matches: ({ context, event }) => matches(context, event) },
  actions: {
    consume: on('redeem', (_, { sessionId }) => ({ set: { sessionId } })),
    useAgain: on('redeem', (context) => ended(context, { usedAgain: true })),
    sessionMade: on('sessionMade', (context) => ended(context, { sessionMade: true })),
  },
}).createMachine({
  id: 'authCode',
  context: ({ input: { id, init } }) => ({ init, id, sessionId: null, sessionMade: false, usedAgain: false }),
  initial: 'ISSUED',
  states: {
    ISSUED: {
      meta: { label: 'Issued', waitsFor: 'the app to redeem it' },
      after: { lifetime: 'EXPIRED' },
      on: { redeem: [{ guard: 'matches', target: 'CONSUMED', actions: 'consume' }, { target: 'REJECTED' }] },
    },
    CONSUMED: {
      meta: { label: 'Consumed', waitsFor: 'a second use, which would end the session' },
      after: { remembered: 'EXPIRED' },
      on: { redeem: { actions: 'useAgain' }, sessionMade: { actions: 'sessionMade' } },
    },
    EXPIRED: { tags: 'terminal', meta: { label: 'Expired' } },
    REJECTED: { tags: 'terminal', meta: { label: 'Rejected' } },
  },
})

/** The session is told to end once both are so: it is there, and the code was used again. */
function ended(
  context: AuthCodeContext,
  set: Partial<Pick<AuthCodeContext, 'sessionMade' | 'usedAgain'>>,
): Outcome<AuthCodeContext> {
  const { sessionId, sessionMade, usedAgain } = { ...context, ...set }
  if (sessionId === null || !sessionMade || !usedAgain) return { set }
  return { set, tell: [{ to: { kind: 'authSession', id: sessionId }, event: { type: 'revoke' } }] }
}

export const authCode = define({
  kind: 'authCode',
  version: 1,
  machine,
  effects: ['tell'],
  columns: ({ value, context: { init } }) => ({
    scopeId: init.userId,
    uniqueKey: value === 'ISSUED' || value === 'CONSUMED' ? init.codeHash : undefined,
  }),
  refuse: ({ value, context }, event) => {
    if (value !== 'CONSUMED') return undefined
    switch (event.type) {
      case 'redeem':
        // Without the verifier nothing was stolen that would be of use: whoever guesses may not sign the owner out.
        return matches(context, event)
          ? undefined
          : new Failure('INVALID_AUTHORIZATION_CODE', 'The verifier is not the one of this code.')
      case 'sessionMade':
        return event.sessionId === context.sessionId
          ? undefined
          : new Failure('FAILED_PRECONDITION', 'That session was not made by this code.')
      default:
        return undefined
    }
  },
  repeats: ({ value, context }, event) => {
    if (value === 'REJECTED') return event.type === 'redeem' && !matches(context, event)
    if (value !== 'CONSUMED') return false
    if (event.type === 'sessionMade') return context.sessionMade && event.sessionId === context.sessionId
    return context.usedAgain && matches(context, event)
  },
  redact: kinds.authCode.redaction,
  operable: false,
})
