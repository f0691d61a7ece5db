/** The groups of routes in the OpenAPI document, in its order. */
export const restTags = {
  Accounts:
    'Sign-up, sign-in, sign-out, passwords and registration. The formats are compatible with clients of Better Auth.',
  'Identity provider':
    'Sign-in at an OpenID Connect provider, if `AUTH_MODE` enables one. The formats are those of Better Auth’s generic OAuth.',
  Sessions: 'The sessions of the signed-in user.',
  Users: 'The accounts of all users, for any signed-in user. The formats are those of Better Auth’s admin plugin.',
  'API keys': 'API keys for scripts. Only a session can create them.',
  'Device enrollment': 'The enrollment of an iPhone, iPad or Mac, and the list of the enrolled devices.',
  Codebases: 'The git repositories on the machines of agents.',
  Runs: 'The events of runs, as they happen.',
  'Run attachments': 'Files for runs: users upload them, and the agents that execute the runs download them.',
  Builds: 'The logs of builds, as they are written.',
  'Build artifacts': 'The files that builds leave. Agents send them, in as many requests as they need.',
  Skills: 'Skills for the agents that execute runs with them.',
  Tools: 'The built-in tools, for pages and scripts. MCP serves the same tools at `/api/mcp`.',
  Webhooks: 'The endpoints to which code hosts, issue trackers and build services deliver events.',
  'Push devices': 'The registration of devices for Apple’s push service.',
  'Crash reports': 'The crash reports of apps. Apps send them without a credential, and scripts with an API key.',
  'Debug symbols':
    'The dSYMs of apps. CI steps send them with an API key, and crash reports are symbolicated with them.',
  Telemetry:
    'Log records and analytics events. Anyone can send them, and users can follow them and export them as files.',
  Server: 'Facts about the server.',
} as const satisfies Readonly<Record<string, string>>

export type RestTag = keyof typeof restTags
