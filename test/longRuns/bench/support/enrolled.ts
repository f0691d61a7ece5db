/** Enrolls agents in bulk: the same messages to the same actors as `createEnrollmentToken` and `enrollAgent` send, without HTTP. */
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import type { Origin } from '../../../../actors/messages.ts'
import { ActorSystem } from '../../../../actors/system.ts'
import { createIds } from '../../../../gateway/ids.ts'
import { agentOfEnrollment } from '../../../../machines/agents/enrollment.ts'
import { machines } from '../../../../machines/machines.ts'
import { type ActorKind, kindOfId } from '../../../../spec/core/ids.ts'
import { startEmbedded } from '../../../../storage/embedded/embedded.ts'
import { openStorage } from '../../../../storage/open.ts'
import { systemClock } from '../../../kit/runtime/systemClock.ts'

const atOnce = 500
const hour = 3_600_000

/** Returns the agents' credentials. The database in `dataDir` is closed again. */
export async function enrollInBulk(dataDir: string, count: number): Promise<readonly string[]> {
  const owner = randomUUID()
  const database = await startEmbedded({ dataDir, log: () => {} })
  try {
    const storage = await openStorage({ connection: database.connection, owner, log: () => {} })
    const system = new ActorSystem({
      kindOfId,
      ...storage,
      definitions: Object.values(machines),
      clock: systemClock,
      owner,
      shared: false,
      handlers: new Map(),
      problem: (error, context) => console.error(error, context),
    })
    system.start()
    const ids = createIds(systemClock)
    const credentials: string[] = []
    for (let made = 0; made < count; made += atOnce) {
      const group = Array.from({ length: Math.min(atOnce, count - made) }, (_, index) =>
        enrollOne(system, ids.next('enrollment'), `agent-${made + index}`),
      )
      credentials.push(...(await Promise.all(group)))
    }
    await system.stop()
    await storage.close()
    return credentials
  } finally {
    await database.stop()
  }
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

async function enrollOne(system: ActorSystem<ActorKind>, enrollmentId: string, hostname: string): Promise<string> {
  const createdAt = systemClock.now()
  const origin: Origin = { cause: 'request', principal: 'usr_bench', requestId: 'bench', receivedAt: createdAt }
  const enrollment = { kind: 'enrollment', id: enrollmentId } as const
  const times = { createdAt, expiresAt: createdAt + hour }
  const issue = { tokenHash: sha256(enrollmentId), name: null, requestedBy: 'bench', ...times }
  await system.ask({ to: enrollment, event: { type: 'create' }, create: issue }, origin)
  await system.ask({ to: enrollment, event: { type: 'claim', keyHash: null } }, origin)
  const credential = `agent_${randomBytes(32).toString('base64url')}`
  const facts = { hostname, platform: 'linux', arch: 'x64', version: '0.1.0' }
  const create = { enrollmentId, name: hostname, credentialHash: sha256(credential), facts, createdAt }
  const agent = { kind: 'agent', id: agentOfEnrollment(enrollmentId) } as const
  await system.ask({ to: agent, event: { type: 'create' }, create }, origin)
  return credential
}
