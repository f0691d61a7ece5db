import { ownSessionRoutes } from '../../../../spec/accounts/ownSessionRoutes.ts'
import { bearer } from './call.ts'
import { anotherSession, holder, somebody, with_ } from './callers.ts'
import type { Cases } from './caseForm.ts'

const { listSessions, revokeSession, revokeSessions, revokeOtherSessions } = ownSessionRoutes

export const sessionCases: readonly Cases[] = [
  { route: listSessions, right: somebody },
  {
    route: revokeSession,
    right: async (stage) => {
      const person = await holder(stage)
      return { body: { token: await anotherSession(stage, person) }, headers: person.headers }
    },
    own: {
      '200 by its ID': async (stage) => {
        const { sessionId, token } = await stage.world.signIn()
        return { body: { id: sessionId }, headers: bearer(token) }
      },
      '200 by the ID of an ended session': async (stage) => {
        const { token, ...person } = await holder(stage)
        const other = await anotherSession(stage, person)
        const { body } = await stage.call(listSessions, { headers: bearer(other) })
        const { id } = (body as { id: string; current: boolean }[]).find(({ current }) => current) ?? {}
        await stage.call(revokeSession, { body: { id }, headers: bearer(other) })
        return { body: { id }, headers: bearer(token) }
      },
      '404 NOT_FOUND by the token of an ended session': async (stage) => {
        const person = await holder(stage)
        const sent = { body: { token: await anotherSession(stage, person) }, headers: person.headers }
        await stage.call(revokeSession, sent)
        return sent
      },
      '400 BAD_USER_INPUT without an ID or a token': async (stage) => await with_(stage, { body: {} }),
      '404 NOT_FOUND': async (stage) => await with_(stage, { body: { token: (await stage.person()).token } }),
    },
  },
  { route: revokeSessions, right: somebody },
  {
    route: revokeOtherSessions,
    right: async (stage) => {
      const person = await holder(stage)
      await anotherSession(stage, person)
      return { body: {}, headers: person.headers }
    },
  },
]
