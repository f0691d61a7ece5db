/** The refusals of every route with a credential or a body, by status and code. Each changes a valid call so that it is refused. */
import type { RestRoute } from '../../../../spec/rest/restRoute.ts'
import { bearer, type Heard, type Sent } from './call.ts'
import type { TroubledGateways } from './troubledGateways.ts'

type Proof = (stage: TroubledGateways, route: RestRoute, right: Sent) => Promise<Heard>

const unknown = bearer('nobody-has-this-token-for-it-was-never-given')
const without = ({ headers: _, ...rest }: Sent): Sent => rest

const wrongBody: Proof = (stage, route, right) => stage.call(route, { ...right, body: '7' })
const wrongType: Proof = (stage, route, right) =>
  stage.call(route, { ...right, body: right.body ?? '{}', headers: { ...right.headers, 'content-type': 'text/plain' } })
const slowBody: Proof = (stage, route, { params = {} }) => stage.slowBody(route, { params })
const unknownCaller: Proof = (stage, route, right) => stage.call(route, { ...right, headers: unknown })

export const standing: Readonly<Record<string, Proof>> = {
  '400 BAD_USER_INPUT': wrongBody,
  '400 INVALID_TOOL_CALL': wrongBody,
  '401 UNAUTHENTICATED': unknownCaller,
  '401 TOOL_API_UNAUTHORIZED': unknownCaller,
  '403 FORBIDDEN': async (stage, route, right) => {
    const { token } = await stage.world.apiKey((await stage.person()).userId)
    return await stage.call(route, { ...right, headers: { 'x-api-key': token } })
  },
  '403 INVALID_ORIGIN': async (stage, route, right) => {
    const cookie = `signalbox=${(await stage.person()).token}`
    return await stage.call(route, { ...without(right), headers: { cookie, origin: 'https://elsewhere.example' } })
  },
  '408 BAD_USER_INPUT': slowBody,
  '408 INVALID_TOOL_CALL': slowBody,
  '413 PAYLOAD_TOO_LARGE': (stage, route, right) => stage.call(route, { ...right, body: ' '.repeat(70_000) }),
  '415 BAD_USER_INPUT': wrongType,
  '415 INVALID_TOOL_CALL': wrongType,
  '429 RATE_LIMITED': (stage, route, right) => stage.pastLimits(route, { ...right, headers: unknown }),
  '500 INTERNAL_ERROR': async (stage, route, right) => {
    const known = right.headers ?? bearer((await stage.person()).token)
    return await stage.whileBroken(route, { ...right, headers: known })
  },
  '503 UNAVAILABLE': (stage, route, right) => stage.whileDatabaseIsAway(route, { ...right, headers: unknown }),
}
