/** The configuration that a client needs before it can sign a user in. */
import { accountRoutes } from '../../../spec/accounts/accountRoutes.ts'
import { json } from '../../http/answer.ts'
import { authOperation } from './operation.ts'
import { isRegistrationOpen } from './registration.ts'

export const configOperations = [
  authOperation(accountRoutes.getSignInConfig, async ({ services }) => {
    const { settings, views } = services.options
    const { authMode, identityProvider } = settings
    const oidc = identityProvider && { providerId: identityProvider.id, name: identityProvider.name }
    return json(200, {
      authMode,
      password: authMode !== 'oidc',
      oidc: authMode === 'password' ? null : (oidc ?? null),
      registrationOpen: await isRegistrationOpen(views),
      mobile: { pkceRequired: true, callback: 'svc-auth://callback' },
    })
  }),
]
