const KiB = 1024
const MiB = 1024 * KiB
const GiB = 1024 * MiB

/** The largest value of `requestHeadBytes`. The HTTP server buffers this much of each connection whose head is not complete. */
export const requestHeadMax = 64 * KiB

/**
 * Every limit of the service with its default. Each is a setting: `LIMIT_` and the name in capitals, so `graphqlDepth` is
 * `LIMIT_GRAPHQL_DEPTH`. Code that enforces a limit takes it from the settings that it gets, never from this table. If a size is
 * exceeded, the answer is `413`; for a rate or quota it is `429`.
 */
export const limits = {
  /**
   * Bytes of a request's head: its first line and its headers. Proxies with access control and other applications on the host add
   * large ones.
   */
  requestHeadBytes: 32 * KiB,

  /** Levels of fields in one GraphQL operation. No screen needs more, and the cost grows with each level. */
  graphqlDepth: 15,
  /**
   * Cost units of one GraphQL operation: an object counts 1 and a leaf 0. A connection is multiplied by its `first`, a plain list
   * by its rows.
   */
  graphqlCostPerQuery: 50_000,
  /**
   * Points (100 cost units each) that a principal can spend in 5 minutes: for documents that are executed, and for documents that
   * are refused.
   */
  graphqlPointsPer5Minutes: 5_000,
  /** Bytes of one GraphQL operation's text, because it is parsed before its cost is known. */
  operationTextBytes: 64 * KiB,
  /** Tokens of one GraphQL document: a short text can have many, and the parser creates an object for each. */
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
   * Comparisons of fields and fragments that decide whether a GraphQL document's fields can be merged. Their number grows with
   * the square of equal response names and of fragments in one place.
   */
  operationMergeSteps: 100_000,
  /** Bytes of a request body. A preset document of 2 MiB, escaped into JSON, fits. */
  bodyBytes: 6 * MiB,
  /** Bytes of a body without a credential (`enrollAgent`): its sender is not authenticated. */
  anonymousBodyBytes: 16 * KiB,
  /** Bytes of a body on `/api/auth/*`, which is read before a user is signed in. */
  authBodyBytes: 64 * KiB,

  /** Bytes of one WebSocket message from a client. */
  webSocketMessageBytes: 1 * MiB,
  /** Subscriptions on one socket of a user or a script. */
  subscriptionsPerSocket: 100,
  /** Subscriptions on one socket of an agent, which follows each of its jobs. */
  subscriptionsPerAgentSocket: 1_000,
  /**
   * Bytes that wait to be sent on one socket, or in one stream of server-sent events. If a reader is slower, its subscription or stream
   * ends, so that the memory of the server stays bounded.
   */
  socketQueueBytes: 4 * MiB,
  /** Streams of server-sent events that a principal can have open at one process. Each holds a connection and a queue. */
  eventStreamsPerPrincipal: 100,
  /** Heartbeats and log appends that one agent can send in a minute. They do not count against the points, so they have a rate. */
  agentReportsPerMinute: 6_000,

  /** Messages that wait for one actor. A further one is answered `UNAVAILABLE` with a retry hint. */
  messagesPerActor: 1_000,
  /** Messages that wait for all actors of this process: as many as it can process in some seconds, so that memory stays bounded. */
  messagesWaiting: 50_000,

  /** Bytes of a request body on MCP and Tools REST. */
  toolBodyBytes: 4 * MiB,
  /** Tool calls of a principal in a minute. An MCP batch counts each of its messages. */
  toolCallsPerMinute: 600,
  /** Tool calls of a principal in flight. An MCP batch counts each of its messages, so it cannot be larger. */
  toolCallsAtOnce: 32,

  /** Tools of one external MCP server that are read. Further tools that it advertises are left out. */
  externalTools: 500,
  /** Bytes of an external tool's definition: a model reads all of it before it acts. */
  externalToolBytes: 64 * KiB,
  /** Bytes of one message of an external server: a result with its pictures fits, and memory stays bounded. */
  externalMessageBytes: 8 * MiB,
  /** Seconds within which a call of an external tool must show activity. Progress counts as activity. */
  externalCallIdleSeconds: 60,
  /** Seconds that a call of an external tool may take in total, however much progress it reports. */
  externalCallSeconds: 600,
  /** Connections to one external server, each with one call; more calls wait. */
  externalConnectionsPerServer: 8,
  /** Connections to all external servers. */
  externalConnections: 64,

  /** Bytes of a file that is attached to a run. */
  attachmentBytes: 100 * MiB,
  /** Bytes of an image of a worktree that is compared. */
  diffImageBytes: 20 * MiB,
  /** Pixels of an image that is compared. Decoding takes about 24 bytes of memory for each pixel of both images. */
  diffImagePixels: 16 * 1024 * 1024,
  /** Requests for images of changes from one address in a minute. The agent reads files for them. */
  diffImagesPerMinute: 300,

  /** Bytes of a build artifact or a dSYM. It is sent in as many requests as its sender needs. */
  uploadBytes: 20 * GiB,
  /** Bytes of one request that sends a part of an artifact's transfer. */
  transferChunkBytes: 16 * MiB,
  /** Bytes of one request that sends a part of a zip with dSYMs. */
  dsymChunkBytes: 16 * MiB,
  /** Requests of one process that wait for the indexing of dSYMs. Each holds a connection for up to an hour. */
  dsymCompletionsAtOnce: 64,
  /** Bytes per second, on average over 30 s, below which an upload's request is ended with `408`. The bytes that have arrived are kept. */
  uploadBytesPerSecond: 32 * KiB,
  /** Uploads that this process receives at once. Each takes about 16 MiB of memory. */
  uploadsAtOnce: 64,
  /** Bytes that uploads leave free on the disk, for the database and the log. An upload that needs some of them is answered `507`. */
  diskReserveBytes: 1 * GiB,

  /** Bytes of a webhook's body; code hosts send up to 25 MB. */
  webhookBodyBytes: 25 * MiB,

  /** Bytes of a crash report as it is sent, which may be compressed. */
  crashReportBodyBytes: 20 * MiB,
  /** Bytes of a crash report when it is decompressed: a small body can hold a very large report. */
  crashReportExpandedBytes: 100 * MiB,

  /** Crash reports without a credential from one address (/64 for IPv6) in a minute. */
  crashReportsPerMinute: 30,
  /** Bytes of crash reports without a credential from one address (/64 for IPv6) in a day. They are stored, so a rate alone would let them fill the disk. */
  crashReportBytesPerDay: 1 * GiB,
  /** Apps that only reports without a credential have named, and that no one has claimed. */
  unclaimedApps: 100,
  /** Crash reports of an app that no one has claimed. */
  unclaimedAppReports: 100,

  /** Bytes of a telemetry batch. */
  telemetryBodyBytes: 2 * MiB,
  /** Records of a telemetry batch, which is stored completely or not at all. */
  telemetryRecords: 500,
  /** Anonymous telemetry requests from one address in a minute. */
  telemetryRequestsPerMinute: 600,
  /** Bytes of anonymous telemetry from one address in a day. It is stored, so a rate alone would let it fill the disk. */
  telemetryBytesPerDay: 1 * GiB,
  /** Bytes of a telemetry export's request. */
  telemetryExportBodyBytes: 256 * KiB,
  /** Bytes of a device registration. */
  deviceBodyBytes: 32 * KiB,
  /** Device registrations from one address in a minute, on each of the two routes. */
  deviceRegistrationsPerMinute: 120,
  /** Bytes of a device's answer to its enrollment: some attributes, and the certificates that signed them. */
  deviceAnswerBytes: 32 * KiB,
  /** Requests without a credential for device enrollments from one address (/64 for IPv6) in a minute. */
  deviceEnrollmentRequestsPerMinute: 120,

  /** Bytes of a preset document. */
  presetDocumentBytes: 2 * MiB,
  /** Presets in a document. */
  presetDocumentPresets: 100,

  /**
   * Failed look-ups of credentials from one address (/64 for IPv6) in a minute, before more are answered `429`. Webhooks that
   * match no integration or secret are counted separately.
   */
  failedLookupsPerMinute: 30,
  /** Concurrent database look-ups for an address that has exceeded that limit. A valid credential is still accepted. */
  lookupsAtOnce: 4,

  /** API keys of a user that are neither deleted nor expired. Each is an item of a list that is read as a whole. */
  apiKeysPerUser: 100,

  /** Sign-ups from one address (/64 for IPv6) in a minute: each uses some milliseconds of CPU. */
  signUpsPerMinute: 30,
  /** Sign-ins at the identity provider that return to one address (/64 for IPv6) in a minute. */
  providerSignInsPerMinute: 30,
  /** Failed sign-ins from one address in a minute, for all accounts together: attackers guess passwords of many accounts too. */
  signInFailuresPerMinute: 30,
  /** Failed sign-ins to one account in 5 minutes: from one address, and from all together. */
  signInFailuresPer5Minutes: 10,
} as const satisfies Readonly<Record<string, number>>

/** The limits in force: the table above with the values that the environment sets. */
export type Limits = { readonly [Name in keyof typeof limits]: number }
