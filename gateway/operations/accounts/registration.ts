/** Registration: whether users may create their own accounts. Each signed-in user may open and close it. */

import { accountRoutes } from '../../../spec/accounts/accountRoutes.ts'
import { registrationId } from '../../../spec/core/ids.ts'
import { json } from '../../http/answer.ts'
import type { TypedViews } from '../typedViews.ts'
import { ask } from './ask.ts'
import { authOperation } from './operation.ts'

/** Registration is open while no account exists. Then its actor does not exist either. */
export async function isRegistrationOpen(views: TypedViews): Promise<boolean> {
  return (await readRegistration(views)).open
}

/** Reads whether registration is open, and whether the next account is the first. */
export async function readRegistration(
  views: TypedViews,
): Promise<{ readonly open: boolean; readonly first: boolean }> {
  const row = await views.get('registration', registrationId)
  if (row === undefined) return { open: true, first: true }
  return { open: row.columns.status === 'OPEN', first: row.context.made === 0 }
}

export const registrationOperations = [
  authOperation(accountRoutes.getRegistration, async ({ services }) =>
    json(200, { open: await isRegistrationOpen(services.options.views) }),
  ),
  authOperation(accountRoutes.setRegistration, async (call) => {
    const { services, input } = call
    // A request for the current state needs no message.
    if ((await isRegistrationOpen(services.options.views)) === input.open) return json(200, { open: input.open })
    const event = { type: input.open ? 'open' : 'close' }
    const { row } = await ask(call, { to: { kind: 'registration', id: registrationId }, event })
    return json(200, { open: row.columns.status === 'OPEN' })
  }),
]
