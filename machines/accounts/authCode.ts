/**
 * A one-time code that an app exchanges for a session at the end of the native sign-in. It is valid for one minute, for the owner of the
 * verifier. If it is used twice, it was stolen, and the service cannot tell which of the two uses is legitimate. So the session of the
 * first use ends. That session is created after the code was consumed. If a second use comes before that, the session ends as soon as it
 * has been created.
 */
import { setup } from 'xstate'
import { Failure } from '../../spec/core/failure.ts'
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
  /** The session of the only valid use. A caller that finds another ID here was refused. */
  readonly sessionId: string | null
  readonly sessionMade: boolean
  readonly usedAgain: boolean
}

export type AuthCodeEvent =
  /** `challenge` is the S256 of the presented verifier. `sessionId` is the ID that the session will have. */
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

/** Revokes the session once both conditions are met: it was created, and the code was used again. */
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
        // A code without its verifier is useless. A caller that guesses must not be able to sign the owner out.
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
  operable: false,
})
