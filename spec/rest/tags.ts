/** The groups of routes in the OpenAPI document, in its order. */
export const restTags = {
  Accounts:
    'Signing up, in and out, passwords and registration. The shapes are those that clients of Better Auth know.',
  'Identity provider':
    'Signing in at an OpenID Connect provider, where `AUTH_MODE` has one. The shapes are those of Better Auth’s generic OAuth.',
  Sessions: 'The sessions of the signed-in user.',
  Users: 'Everybody’s accounts, for any signed-in user. The shapes are those of Better Auth’s admin plugin.',
  'API keys': 'Keys for scripts. A session makes them; a key makes none.',
  'Device enrolment': 'How an iPhone, iPad or Mac tells its identifiers, and the list of those that have.',
  Codebases: 'The git repositories on the machines of agents.',
  Tools: 'The built-in tools, as a page or a script calls them. MCP serves the same at `/api/mcp`.',
  Webhooks: 'Where code hosts, issue trackers and build services deliver what has happened there.',
  'Push devices': 'Where apps say how their device is reached by Apple’s push service.',
  Telemetry: 'Log records and analytics events: sent by anybody, taken out as files by people.',
  Server: 'What the server tells of itself.',
} as const satisfies Readonly<Record<string, string>>

export type RestTag = keyof typeof restTags
