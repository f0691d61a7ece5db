import { identity } from '../../gateway/support/device/certificates.ts'
import { answerText, fetchProfile, iPhone, postAnswer, signedBy } from '../../gateway/support/device/phone.ts'
import { ada, rest } from './accounts.ts'
import { type Stage, until } from './stage.ts'

/** The ID of a device that has gone the whole way. */
export async function enrolledDevice({ url, ask }: Stage): Promise<string> {
  const { body: session } = await rest(url, 'POST', '/api/auth/sign-in/email', { body: ada })
  const headers = { authorization: `Bearer ${session.token}` }
  const { body } = await rest(url, 'POST', '/api/ios/enrollment/start', { body: {}, headers })
  const { challenge, url: back } = await fetchProfile(String(body.profileUrl))
  await postAnswer(back, await signedBy(await identity({ name: 'iPhone' }), answerText(iPhone, challenge)))
  return await until('the device', async () => {
    const { devices } = await ask<{ devices: { nodes: { id: string }[] } }>('{ devices { nodes { id } } }')
    return devices.nodes[0]?.id
  })
}
