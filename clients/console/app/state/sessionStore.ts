/** The session of the signed-in user. */
import { createStore } from '@xstate/store'

export interface SessionUser {
  readonly name: string
  readonly email: string
}

interface SessionContext {
  readonly user: SessionUser
  readonly status: 'active' | 'signingOut' | 'expired'
  /** Resolves when the last replacement of the session is complete. */
  readonly replacement: Promise<unknown>
}

const initial: SessionContext = {
  user: { name: '', email: '' },
  status: 'active',
  replacement: Promise.resolve(),
}

export const sessionStore = createStore({
  context: initial,
  on: {
    started: (context, { user }: { user: SessionUser }): SessionContext => ({ ...context, user }),
    /** The server no longer accepts the previous session, so requests wait until the replacement is complete. */
    replaced: (context, { replacement }: { replacement: Promise<unknown> }): SessionContext => ({
      ...context,
      replacement: replacement.catch(() => {}),
    }),
    signOutRequested: (context): SessionContext => ({ ...context, status: 'signingOut' }),
    /** The server rejected the session. That is expected while the user signs out. */
    rejected: (context, _, enqueue): SessionContext => {
      if (context.status !== 'active') return context
      enqueue.effect(openSignInPage)
      return { ...context, status: 'expired' }
    },
  },
})

/** Call it before each request: while the session is being replaced, the server accepts neither the old one nor the new one yet. */
export async function waitForSession(): Promise<void> {
  await sessionStore.getSnapshot().context.replacement
}

/** The sign-in page leads back to this view. */
function openSignInPage(): void {
  location.assign(`/sign-in?redirect=${encodeURIComponent(location.pathname + location.search)}`)
}
