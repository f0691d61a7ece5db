/**
 * The origins at which other machines and people reach the server: what the server detects, and what people set instead. They are shown and
 * handed out, for example in builds and event streams. They never decide from which origins a browser is accepted.
 */
import * as v from 'valibot'
import { mutation, query, subscription } from '../core/operation.ts'
import { isOrigin, normalizeOrigin } from '../core/origin.ts'
import { expectedRevision, revision } from '../core/revision.ts'
import { atMost, dateTime, int, named, text } from '../core/types.ts'

export const serverUrlKinds = ['LOCAL', 'REMOTE', 'PROXY'] as const
export type ServerUrlKind = (typeof serverUrlKinds)[number]

export const serverUrlKind = named(
  'ServerUrlKind',
  'A way to reach the server. LOCAL: from its own network. REMOTE: from elsewhere. PROXY: through a reverse proxy, which may require a sign-in of its own.',
  v.picklist(serverUrlKinds),
)

/** Null: nothing is set, so the detected origin, or the automatic default, applies. */
export type ServerUrlOverrides = {
  readonly localUrlOverride: string | null
  readonly remoteUrlOverride: string | null
  readonly proxyUrlOverride: string | null
  readonly defaultKind: ServerUrlKind | null
}

export const noServerUrlOverrides: ServerUrlOverrides = Object.freeze({
  localUrlOverride: null,
  remoteUrlOverride: null,
  proxyUrlOverride: null,
  defaultKind: null,
})

/** The maximum number of addresses of this machine in an answer. */
export const lanUrlsMax = 16

/** An origin in an input, as `normalizeOrigin` writes it. */
export const originInput = v.pipe(
  text({ min: 1, max: 300 }),
  v.check(
    isOrigin,
    'must be an http or https origin, such as https://signalbox.example: a scheme, a host and a port, without a path, a query or a user',
  ),
  v.transform(normalizeOrigin),
)

/** An override in an input. */
const override = (of: string) =>
  v.pipe(v.optional(v.nullable(originInput)), v.description(`The ${of} origin to use. Null removes the override.`))

const detected = named(
  'DetectedServerUrls',
  'The origins that the process that answers has detected.',
  v.object({
    localUrl: v.pipe(
      v.string(),
      v.description(
        'The first address of this machine on its network, or `localhost` if the server listens only there.',
      ),
    ),
    remoteUrl: v.pipe(v.nullable(v.string()), v.description('`PUBLIC_BASE_URL`. Null if it is not set.')),
    proxyUrl: v.pipe(
      v.nullable(v.string()),
      v.description(
        'The host that a trusted proxy (`TRUSTED_PROXIES`) has reported for this request in `X-Forwarded-Host`. Null without one.',
      ),
    ),
    lanUrls: v.pipe(
      atMost(lanUrlsMax, v.string()),
      v.description(`The addresses of this machine on its networks, at most ${lanUrlsMax}.`),
    ),
  }),
)

const effective = named(
  'EffectiveServerUrls',
  'The origins in use: each override, otherwise what was detected. `defaultKind` is used if a request names no kind. Unless it is set, it is PROXY if there is one, REMOTE if its origin is known, otherwise LOCAL.',
  v.object({
    localUrl: v.string(),
    remoteUrl: v.pipe(
      v.string(),
      v.description(
        'If neither an override nor `PUBLIC_BASE_URL` is set, the proxy’s origin, otherwise the local one.',
      ),
    ),
    proxyUrl: v.pipe(v.nullable(v.string()), v.description('Null if there is no proxy.')),
    defaultKind: serverUrlKind,
  }),
)

const nullableOrigin = v.nullable(v.string())

export const serverUrlSettingsSchema = named(
  'ServerUrlSettings',
  'The origins at which the server is reached: detected, set by people, and in use.',
  v.object({
    detected,
    effective,
    localUrlOverride: nullableOrigin,
    remoteUrlOverride: nullableOrigin,
    proxyUrlOverride: nullableOrigin,
    defaultKind: v.pipe(v.nullable(serverUrlKind), v.description('Null: selected automatically.')),
    revision,
  }),
)

export const serverUrlSettings = query({
  name: 'serverUrlSettings',
  description:
    'Returns the origins at which the server is reached. Each process detects for itself, and the proxy is detected for each request.',
  access: 'people',
  tool: {
    group: 'discovery',
    name: 'get_server_url_settings',
    title: 'Get the server URLs',
    description:
      'Returns the origins at which other machines reach this server: LOCAL from its own network, REMOTE from elsewhere, PROXY through a ' +
      'reverse proxy. `effective` has the ones in use. `save_server_url_settings` changes them.',
  },
  input: undefined,
  output: serverUrlSettingsSchema,
})

export const saveServerUrlSettings = mutation({
  name: 'saveServerUrlSettings',
  description:
    'Changes the origins that the server shows to others, in every process within a second. Omitted fields do not change. An override never adds to the origins from which browsers are accepted (`APP_ORIGINS`).',
  access: 'people',
  tool: {
    group: 'discovery',
    title: 'Save the server URLs',
    description:
      'Sets or removes (null) the origins that the server shows to other machines instead of those that it detects, and the default kind. ' +
      'Omitted fields do not change. Read `get_server_url_settings` first, and pass its `revision` as `expectedRevision`.',
    idempotent: true,
  },
  input: v.object({
    localUrlOverride: override('local'),
    remoteUrlOverride: override('remote'),
    proxyUrlOverride: override('proxy’s'),
    defaultKind: v.pipe(
      v.optional(v.nullable(serverUrlKind)),
      v.description('The kind that is used if a request names none. Null selects it automatically.'),
    ),
    expectedRevision,
  }),
  output: named(
    'SaveServerUrlSettingsPayload',
    'The settings after the change.',
    v.object({ serverUrlSettings: serverUrlSettingsSchema }),
  ),
})

export const serverUrlSettingsChanged = subscription({
  name: 'serverUrlSettingsChanged',
  description:
    'Sends the new revision within a second after each change of the server URLs by any process. Read `serverUrlSettings` again after each.',
  access: 'people',
  input: undefined,
  output: named(
    'ServerUrlSettingsChange',
    'A change of the server URLs.',
    v.object({ revision: int, changedAt: dateTime }),
  ),
})
