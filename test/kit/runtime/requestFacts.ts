/** The facts of a request, for tests that call a handler with only the ports that it names. */
import type { RequestFacts } from '../../../gateway/operations/requestContext.ts'
import type { Principal } from '../../../spec/core/principal.ts'

export const requestFacts: RequestFacts = {
  principal: { kind: 'user', userId: 'usr_01h455vb4pex5vsknk084sn02q' } as Principal,
  requestId: 'r',
  now: 0,
  spentMs: () => 0,
  baseUrl: '',
  forwardedOrigin: null,
  agentWsUrl: '',
  onDisconnect: undefined,
}
