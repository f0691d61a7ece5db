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
  const reason = v.optional(v.pipe(v.picklist(reasons), v.description('The reason why the sign-in failed.')))
  return { code, extras: { reason } }
}

const location = 'The address to which the browser is redirected.'
const flowCookie = 'The cookie that binds the sign-in to this browser for ten minutes.'

const wrongPage = {
  code: 'INVALID_ORIGIN',
  extras: {
    field: v.optional(
      v.pipe(v.string(), v.description('The field with a page that belongs neither to the server nor to its origins.')),
    ),
  },
} as const

const beginning = v.object({
  providerId: v.string(),
  callbackURL: v.pipe(
    v.nullish(page),
    v.description('The page to open after the sign-in, on this server or on one of its origins. Default: `/`.'),
  ),
  errorCallbackURL: v.pipe(
    v.nullish(page),
    v.description('The page to open after a failure, with the parameters `error` and `error_description`.'),
  ),
  disableRedirect: v.nullish(v.boolean()),
})

const begun = v.object({
  url: v.pipe(v.string(), v.description('The URL that the browser must open.')),
  redirect: v.pipe(
    v.boolean(),
    v.description('Whether the client should open `url`. false if the request set `disableRedirect`.'),
  ),
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
    summary: 'Begin a sign-in in a browser',
    description:
      'The same browser must open `url`. The provider then redirects it to the callback, where the cookie is checked.',
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
    summary: 'Begin to link an identity of the provider to the user’s own account',
    description:
      'The same browser must open `url`. It must return to the callback signed in as the same user. From then on the identity signs in to this account, whatever its email address is.',
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
    summary: 'Receive the browser from the provider',
    description:
      'The redirect URL to configure at the provider. The response contains the failure only if the sign-in has no page for failures or was begun in another browser.',
    access: 'visitors',
    params: v.object({
      provider: v.pipe(v.string(), v.description('The ID of the provider, `AUTH_OAUTH_PROVIDER_ID`.')),
    }),
    query: v.object({
      state: v.pipe(v.optional(v.string()), v.description('The state of the sign-in that this browser began.')),
      code: v.optional(v.string()),
      iss: v.pipe(v.optional(v.string()), v.description('The issuer of the provider.')),
      error: v.pipe(v.optional(v.string()), v.description('The reason why the provider rejected the user.')),
    }),
    answers: {
      302: {
        description:
          'The sign-in or link has ended. The browser is redirected to the page that the sign-in began with, after a sign-in ' +
          'with the session cookie; or to the app by deep link, with its code and state. After a failure, `error` and ' +
          '`error_description` are added.',
        headers: {
          Location: location,
          'Set-Cookie': 'Clears the cookie of the sign-in. After a sign-in another header sets the session cookie.',
        },
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
    summary: 'Begin a sign-in in an app',
    description: 'The app opens this URL in a browser. A parameter that occurs twice is refused.',
    access: 'visitors',
    query: v.object({
      state: v.pipe(
        v.string(),
        v.regex(/^[A-Za-z0-9._~-]{32,128}$/, 'must be 32 random bytes in base64url or hex'),
        v.description('A value that the app receives again with the deep link.'),
      ),
      code_challenge: v.pipe(
        v.string(),
        v.regex(/^[A-Za-z0-9_-]{43}$/, 'must be the S256 challenge of the verifier, 43 characters of base64url'),
      ),
      code_challenge_method: v.literal('S256', 'must be S256'),
    }),
    queryRefusal: 'BAD_USER_INPUT',
    noInternalError: true,
    answers: {
      302: {
        description:
          'The browser is redirected to the provider, with a cookie that binds the sign-in to this browser. After a failure it ' +
          'is redirected to the app by deep link, with `error`, `error_description` and `state`.',
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
    summary: 'Exchange an app’s code for a session',
    description:
      'A code is valid for one minute and can be used once. A second use is refused and revokes the session of the first.',
    access: 'visitors',
    body: {
      limit,
      schema: v.object({
        code: v.pipe(v.string(), v.maxLength(256)),
        code_verifier: v.pipe(
          v.string(),
          v.maxLength(256),
          v.description('The verifier whose S256 challenge the sign-in began with.'),
        ),
      }),
    },
    answers: {
      200: {
        description: 'A session was created.',
        body: v.object({ token: sessionToken, user, expiresAt: dateTime }),
      },
    },
    refusals: ['AUTH_MODE_DISABLED', 'INVALID_AUTHORIZATION_CODE'],
  }),
} as const
