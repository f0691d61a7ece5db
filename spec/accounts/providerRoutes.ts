/** Signing in at an OpenID Connect provider: with a browser in the shapes of Better Auth's generic OAuth, and with an app. */
import * as v from 'valibot'
import { dateTime } from '../core/types.ts'
import { type Refusal, restRoute } from '../rest/restRoute.ts'
import { limit, sessionToken, user } from './accountSchemas.ts'

/** Signed in or not. */

/** Characters of each URL: the whole flow must fit into a cookie. */
export const longestPage = 1_000
const page = v.pipe(v.string(), v.maxLength(longestPage))

/** A refusal that may have the error of the provider as its reason; the others with its code have no reason. */
function because(code: Refusal['code'], ...reasons: readonly string[]): Refusal {
  const reason = v.optional(v.pipe(v.picklist(reasons), v.description('What went wrong with the sign-in.')))
  return { code, extras: { reason } }
}

const location = 'Where the browser goes.'
const flowCookie = 'What binds the sign-in to this browser, for ten minutes.'

const wrongPage = {
  code: 'INVALID_ORIGIN',
  extras: {
    field: v.optional(
      v.pipe(v.string(), v.description('The page that belongs neither to the server nor to its origins.')),
    ),
  },
} as const

const beginning = v.object({
  providerId: v.string(),
  callbackURL: v.pipe(
    v.nullish(page),
    v.description('The page to go to afterwards: of this server, or of one of its origins. Without it, `/`.'),
  ),
  errorCallbackURL: v.pipe(
    v.nullish(page),
    v.description('The page that is told of a failure, in `error` and `error_description`.'),
  ),
  disableRedirect: v.nullish(v.boolean()),
})

const begun = v.object({
  url: v.pipe(v.string(), v.description('Where the browser goes.')),
  redirect: v.pipe(v.boolean(), v.description('False with `disableRedirect`.')),
})

const notBegun = [
  'AUTH_MODE_DISABLED',
  wrongPage,
  because('UNAUTHENTICATED', 'provider_failed'),
  because('UNAVAILABLE', 'provider_unavailable'),
] as const

export const providerRoutes = {
  signInAtProvider: restRoute({
    name: 'signInAtProvider',
    method: 'POST',
    path: '/api/auth/sign-in/oauth2',
    tag: 'Identity provider',
    summary: 'Begin a sign-in with a browser',
    description: 'The browser that asked goes to `url`, and comes back to the callback with the cookie.',
    access: 'visitors',
    body: { limit, schema: beginning },
    answers: {
      200: {
        description: 'The sign-in has begun.',
        body: begun,
        headers: { 'Set-Cookie': flowCookie },
      },
    },
    refusals: notBegun,
  }),
  linkIdentity: restRoute({
    name: 'linkIdentity',
    method: 'POST',
    path: '/api/auth/oauth2/link',
    tag: 'Identity provider',
    summary: 'Begin to link an identity of the provider to one’s own account',
    description:
      'The browser that asked goes to `url` and comes back to the callback, signed in as the same user. From then on that identity signs in to this account, whatever its email address.',
    access: 'sessions',
    body: { limit, schema: beginning },
    answers: {
      200: { description: 'The link has begun.', body: begun, headers: { 'Set-Cookie': flowCookie } },
    },
    refusals: notBegun,
  }),
  endProviderSignIn: restRoute({
    name: 'endProviderSignIn',
    method: 'GET',
    path: '/api/auth/oauth2/callback/{provider}',
    tag: 'Identity provider',
    summary: 'Where the provider sends the browser back to',
    description:
      'The redirect URL to give the provider. A failure is answered here only where the sign-in has no page for failures, or is not this browser’s.',
    access: 'visitors',
    params: v.object({ provider: v.pipe(v.string(), v.description('The provider’s ID.')) }),
    query: v.object({
      state: v.pipe(v.optional(v.string()), v.description('Of the sign-in that this browser began.')),
      code: v.optional(v.string()),
      iss: v.pipe(v.optional(v.string()), v.description('The provider’s issuer.')),
      error: v.pipe(v.optional(v.string()), v.description('Why the provider did not let the person in.')),
    }),
    answers: {
      302: {
        description:
          'The sign-in or link has ended. To the page that it began with, after a sign-in with the session’s cookie; to the app by deep link, with its code and state; or, after a failure, to either with `error` and `error_description`.',
        headers: { Location: location, 'Set-Cookie': 'Takes the sign-in’s cookie away; another sets the session’s.' },
      },
    },
    refusals: [
      'AUTH_MODE_DISABLED',
      'NOT_FOUND',
      'REGISTRATION_CLOSED',
      because('BAD_USER_INPUT', 'flow_unknown', 'flow_expired'),
      because('UNAUTHENTICATED', 'access_denied', 'provider_failed', 'email_missing', 'link_signed_out'),
      because('FORBIDDEN', 'account_disabled'),
      because('CONFLICT', 'account_exists', 'identity_taken', 'already_linked'),
      because('UNAVAILABLE', 'provider_unavailable'),
    ],
  }),
  startMobileSignIn: restRoute({
    name: 'startMobileSignIn',
    method: 'GET',
    path: '/api/auth/mobile/oauth/start',
    tag: 'Identity provider',
    summary: 'Begin a sign-in with an app',
    description: 'The app opens it in a browser. A parameter that comes twice is refused.',
    access: 'visitors',
    query: v.object({
      state: v.pipe(
        v.string(),
        v.regex(/^[A-Za-z0-9._~-]{32,128}$/, 'must be 32 random bytes in base64url or hex'),
        v.description('Comes back to the app with the deep link.'),
      ),
      code_challenge: v.pipe(
        v.string(),
        v.regex(/^[A-Za-z0-9_-]{43}$/, 'must be the S256 of the verifier, 43 characters of base64url'),
      ),
      code_challenge_method: v.literal('S256', 'must be S256'),
    }),
    queryRefusal: 'BAD_USER_INPUT',
    noInternalError: true,
    answers: {
      302: {
        description:
          'To the provider, with a cookie that binds the sign-in to this browser; or, after a failure, to the app by deep link, with `error`, `error_description` and `state`.',
        headers: { Location: location },
      },
    },
    refusals: ['AUTH_MODE_DISABLED'],
  }),
  redeemMobileCode: restRoute({
    name: 'redeemMobileCode',
    method: 'POST',
    path: '/api/auth/mobile/redeem',
    tag: 'Identity provider',
    summary: 'Give an app a session for its code',
    description: 'A code is good once, for a minute. A second use is refused and ends the session of the first.',
    access: 'visitors',
    body: {
      limit,
      schema: v.object({
        code: v.pipe(v.string(), v.maxLength(256)),
        code_verifier: v.pipe(v.string(), v.maxLength(256), v.description('Whose S256 the sign-in began with.')),
      }),
    },
    answers: {
      200: {
        description: 'A session has begun.',
        body: v.object({ token: sessionToken, user, expiresAt: dateTime }),
      },
    },
    refusals: ['AUTH_MODE_DISABLED', 'INVALID_AUTHORIZATION_CODE'],
  }),
} as const
