/** The security schemes of the document, and the schemes that an operation accepts. */
import type { SecurityRequirementObject, SecuritySchemeObject } from 'openapi3-ts/oas31'
import { type Access, openTo, type PrincipalKind } from '../../../spec/core/principal.ts'

const schemesOf: Readonly<Partial<Record<PrincipalKind, readonly string[]>>> = {
  user: ['sessionCookie', 'sessionToken'],
  apiKey: ['apiKey'],
  agent: ['agentToken'],
  run: ['runToken'],
}

/** Each requirement is enough by itself. An empty one allows callers without a credential. */
export function securityOf(access: Access): SecurityRequirementObject[] {
  if (access === 'public') return []
  const kinds = openTo(access)
  const taken = kinds.flatMap((kind) => schemesOf[kind] ?? []).map((scheme) => ({ [scheme]: [] }))
  return kinds.includes('anonymous') ? [{}, ...taken] : taken
}

const bearer = (description: string): SecuritySchemeObject => ({ type: 'http', scheme: 'bearer', description })

/** @param secure whether the origin is https. The cookie's name then has a prefix. */
export function securitySchemes(secure: boolean): Readonly<Record<string, SecuritySchemeObject>> {
  return {
    sessionCookie: {
      type: 'apiKey',
      in: 'cookie',
      name: secure ? '__Host-signalbox' : 'signalbox',
      description: 'The session of a browser. Requests other than `GET` need an `Origin` that the server accepts.',
    },
    sessionToken: bearer('The token of a session, as a sign-in returns it.'),
    apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'The API key of a script: `svc_…`.' },
    agentToken: bearer('The credential of an enrolled agent: `agent_…`.'),
    runToken: bearer('The token of one run, which its coding CLI has: `agent_…`.'),
  }
}
