const KiB = 1024
const MiB = 1024 * KiB
const GiB = 1024 * MiB

/** The largest value of `requestHeadBytes`: what the HTTP server keeps of each connection whose head is not complete. */
export const requestHeadMax = 64 * KiB

/**
 * Every limit of the service and what it is without a setting. Each is a setting: `LIMIT_` and the name in capitals, so
 * `graphqlDepth` is `LIMIT_GRAPHQL_DEPTH`. Code that enforces one takes it from the settings that it is given, never
 * from this table. A size passed answers `413`, a rate or quota `429`.
 */
export const limits = {
  /** Bytes of a request's head: its first line and its headers. Access layers and other applications on the host add large ones. */
  requestHeadBytes: 32 * KiB,

  /** Levels of fields in one GraphQL operation. Deeper is no screen's need, and cost grows with each level. */
  graphqlDepth: 15,
  /** Cost units of one GraphQL operation: an object 1, a leaf 0; a connection weighs its `first`, a plain list its rows. */
  graphqlCostPerQuery: 50_000,
  /** Points (100 cost units each) that a principal spends in 5 minutes: for executing documents, and for refusing them. */
  graphqlPointsPer5Minutes: 5_000,
  /** Bytes of one GraphQL operation's text: parsing is paid before the cost is known. */
  operationTextBytes: 64 * KiB,
  /** Tokens of one GraphQL document: a short text can hold many, and parsing makes an object of each. */
  operationTokens: 5_000,
  /** Levels of selections, lists and objects in one definition of a GraphQL document: each is a level of recursion. */
  operationNesting: 50,
  /** Operations in one GraphQL document: each is validated together with all fragments that it uses. */
  operationDefinitions: 50,
  /** Fragments in one GraphQL document: each is compared with the others. */
  operationFragments: 200,
  /** Aliases in one GraphQL document. */
  operationAliases: 500,
  /** Directives in one GraphQL document. */
  operationDirectives: 500,
  /** Values in lists and objects that are written in a GraphQL document: an error message repeats them. Variables have no such bound. */
  operationValues: 1_000,
  /**
   * Comparisons of fields and fragments that show whether a GraphQL document's fields can be merged: they grow with the square of
   * equal response names and of fragments in one place.
   */
  operationMergeSteps: 100_000,
  /** Bytes of a request body. A preset document of 2 MiB, escaped into JSON, fits. */
  bodyBytes: 6 * MiB,
  /** Bytes of a body without a credential (`enrollAgent`): nobody has vouched for who sends it. */
  anonymousBodyBytes: 16 * KiB,
  /** Bytes of a body on `/api/auth/*`, which is read before anybody is signed in. */
  authBodyBytes: 64 * KiB,

  /** Bytes of one WebSocket message from a client. */
  webSocketMessageBytes: 1 * MiB,
  /** Subscriptions on one socket of a person or a script. */
  subscriptionsPerSocket: 100,
  /** Subscriptions on one socket of an agent, which follows each of its jobs. */
  subscriptionsPerAgentSocket: 1_000,
  /** Bytes waiting to be sent on one socket; a slower reader's subscription ends rather than the server grows. */
  socketQueueBytes: 4 * MiB,
  /** Heartbeats and log appends that one agent sends in a minute: outside the point budget, so they have a rate. */
  agentReportsPerMinute: 6_000,

  /** Messages waiting for one actor; one more is answered `UNAVAILABLE` with a retry hint. */
  mailboxDepth: 1_000,
  /** Messages waiting for all actors of this process: what it can decide in some seconds, and memory stays bounded. */
  mailboxTotal: 50_000,

  /** Bytes of a request body on MCP and Tools REST. */
  toolBodyBytes: 4 * MiB,
  /** Tool calls of a principal in a minute. An MCP batch counts each of its messages. */
  toolCallsPerMinute: 600,
  /** Tool calls of a principal in flight. An MCP batch counts each of its messages, so it cannot be larger. */
  toolCallsAtOnce: 32,

  /** Tools of one external MCP server that are read; what it advertises beyond them is left out. */
  externalTools: 500,
  /** Bytes of an external tool's definition: a model reads it whole before it does anything. */
  externalToolBytes: 64 * KiB,
  /** Bytes of one message of an external server: a result with its pictures fits, and memory stays bounded. */
  externalMessageBytes: 8 * MiB,
  /** Seconds in which a call of an external tool must show a sign of life; progress is one. */
  externalCallIdleSeconds: 60,
  /** Seconds that a call of an external tool may take in all, however much progress it reports. */
  externalCallSeconds: 600,
  /** Connections to one external server, each with one call; more calls wait. */
  externalConnectionsPerServer: 8,
  /** Connections to all external servers. */
  externalConnections: 64,

  /** Bytes of a webhook's body; code hosts send up to 25 MB. */
  webhookBodyBytes: 25 * MiB,

  /** Bytes of a crash report when it is unpacked: a small zip can hold a very large file. */
  crashReportExpandedBytes: 100 * MiB,

  /** Bytes of a telemetry batch. */
  telemetryBodyBytes: 2 * MiB,
  /** Records of a telemetry batch, which is stored whole or not at all. */
  telemetryRecords: 500,
  /** Anonymous telemetry requests from one address in a minute. */
  telemetryRequestsPerMinute: 600,
  /** Bytes of anonymous telemetry from one address in a day: it is kept, so a rate alone would fill the disk. */
  telemetryBytesPerDay: 1 * GiB,
  /** Bytes of a telemetry export's request. */
  telemetryExportBodyBytes: 256 * KiB,
  /** Bytes of a device registration. */
  deviceBodyBytes: 32 * KiB,
  /** Device registrations from one address in a minute, on each of the two routes. */
  deviceRegistrationsPerMinute: 120,
  /** Bytes of what a device answers its enrolment with: some attributes, and the certificates that they are signed by. */
  deviceAnswerBytes: 32 * KiB,
  /** Requests without a credential for device enrolments from one address (/64 for IPv6) in a minute. */
  deviceEnrollmentRequestsPerMinute: 120,

  /** Bytes of a preset document. */
  presetDocumentBytes: 2 * MiB,
  /** Presets in a document. */
  presetDocumentPresets: 100,

  /**
   * Look-ups of credentials from one address (/64 for IPv6) that fail in a minute before more are answered `429`; and, counted by
   * themselves, webhooks that nobody's integration or secret fits.
   */
  failedLookupsPerMinute: 30,
  /** Look-ups of an address past that limit that reach the database at once; a valid credential still gets through. */
  lookupsAtOnce: 4,

  /** Sign-ups from one address (/64 for IPv6) in a minute: each costs a core some milliseconds. */
  signUpsPerMinute: 30,
  /** Sign-ins at the identity provider that come back to one address (/64 for IPv6) in a minute. */
  providerSignInsPerMinute: 30,
  /** Failed sign-ins from one address in a minute, whatever the account: passwords are guessed at many accounts too. */
  signInFailuresPerMinute: 30,
  /** Failed sign-ins to one account in 5 minutes: from one address, and from all together. */
  signInFailuresPer5Minutes: 10,
} as const satisfies Readonly<Record<string, number>>

/** The limits in force: the table above with what the environment raises or lowers. */
export type Limits = { readonly [Name in keyof typeof limits]: number }
