/** All callers, some of each kind. A caller whose credential a request has ended, which is frequent, is replaced. */
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { idPrefixes } from '../../../../spec/core/ids.ts'
import { type Access, verdict } from '../../../../spec/core/principal.ts'
import type { Random } from '../../soak/random.ts'
import type { Pools } from '../pools.ts'
import type { Secrets } from '../secrets.ts'
import { type Account, type Caller, type CallerKind, callerOf, principalOf } from './caller.ts'
import { Player, type PlayerWorld } from './player.ts'
import { bearer, Refused, type Upkeep } from './upkeep.ts'

export interface CrewParts {
  readonly upkeep: Upkeep
  readonly agentUrl: string
  readonly pools: Pools
  readonly secrets: Secrets
  /** Counts one request over a socket that the fuzzer did not choose. */
  counted(): void
}

const ofEachKind = 3
const players = 3
const spentKept = 30
/** How often a caller is made before the fuzzer fails. */
const mostTries = 6

interface SignedIn {
  readonly account: Account
  readonly token: string
  readonly sessionId: string
}

export class Crew {
  readonly #parts: CrewParts
  readonly #callers = new Map<CallerKind, Caller[]>()
  readonly #players: Player[] = []
  readonly #spent: Caller[] = []
  readonly #runTokens: string[] = []
  readonly accounts: Account[] = []
  /** A credential that no request ends. It creates the others. */
  #root: Readonly<Record<string, string>> = {}
  #names = 0

  private constructor(parts: CrewParts) {
    this.#parts = parts
  }

  static async assemble(parts: CrewParts): Promise<Crew> {
    const crew = new Crew(parts)
    await crew.#signUpRoot()
    for (const kind of ['user by cookie', 'user by bearer', 'apiKey'] as const)
      for (let n = 0; n < ofEachKind; n++) await crew.#join(kind)
    for (let n = 0; n < players; n++) await crew.#join('agent')
    return crew
  }

  get rootHeaders(): Readonly<Record<string, string>> {
    return this.#root
  }

  async take(kind: CallerKind, random: Random): Promise<Caller> {
    const present = this.#callers.get(kind) ?? []
    if (present.length > 0) return random.pick(present)
    switch (kind) {
      case 'anonymous':
      case 'enrollment':
        return callerOf(kind, {})
      case 'run':
        return callerOf(kind, bearer(this.#runTokens.at(-1 - random.below(3)) ?? `agent_${token()}`))
      case 'dead':
        return this.#spent.length > 0 ? { ...random.pick(this.#spent), kind } : callerOf(kind, bearer(token()))
      case 'garbage':
        return callerOf(kind, garbage(random))
      case 'two at once': {
        const [user, key] = [await this.take('user by bearer', random), await this.take('apiKey', random)]
        return callerOf(kind, { ...user.headers, ...key.headers })
      }
      default:
        return await this.#join(kind)
    }
  }

  /** Replaces a caller that was refused. Resolves with the problem if its credential had not ended. */
  async retire(caller: Caller): Promise<string | undefined> {
    const present = this.#callers.get(caller.kind)
    const index = present?.indexOf(caller) ?? -1
    if (present === undefined || index < 0) return undefined
    present.splice(index, 1)
    // A key may be enabled again. A session that has ended stays so.
    if (caller.kind.startsWith('user')) this.#spent.push(caller)
    if (this.#spent.length > spentKept) this.#spent.shift()
    if (caller.agent) await this.#dismiss(caller.agent.agentId)
    return await this.#wronged(caller)
  }

  async dismissAll(): Promise<void> {
    await Promise.all(this.#players.map((player) => player.stop()))
  }

  async whileRegistrationIsOpen<T>(work: () => Promise<T>): Promise<T> {
    const { upkeep } = this.#parts
    await upkeep.rest('POST', '/api/auth/registration', { open: true }, this.#root)
    const done = await work()
    await upkeep.rest('POST', '/api/auth/registration', { open: false }, this.#root)
    return done
  }

  /** A new one-time token. The crew itself requests it. */
  async enrollmentToken(): Promise<string> {
    const { upkeep, secrets } = this.#parts
    const { createEnrollmentToken } = await upkeep.graphql<{ createEnrollmentToken: { token: string } }>(
      'mutation { createEnrollmentToken(input: {}) { token } }',
      {},
      this.#root,
    )
    secrets.add(createEnrollmentToken.token)
    return createEnrollmentToken.token
  }

  async #signUpRoot(): Promise<void> {
    const { upkeep, pools } = this.#parts
    const account = this.#newAccount()
    const signedUp = await upkeep.rest<{ token: string; user: { id: string } }>(
      'POST',
      '/api/auth/sign-up/email',
      account,
    )
    this.#parts.secrets.add(signedUp.token)
    this.#root = bearer(signedUp.token)
    pools.guard(signedUp.user.id)
  }

  #newAccount() {
    const name = `Fuzz ${++this.#names}`
    return { name, email: `crew${this.#names}@example.com`, password: this.#parts.secrets.newPassword() }
  }

  async #join(kind: CallerKind): Promise<Caller> {
    const caller = await this.#whenNotBusy(() => (kind === 'agent' ? this.#newAgent() : this.#newPerson(kind)))
    this.#callers.set(kind, [...(this.#callers.get(kind) ?? []), caller])
    return caller
  }

  /** A slow machine may not compute all hashes of passwords in time. Each try is another person. */
  async #whenNotBusy<T>(work: () => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries++) {
      try {
        return await work()
      } catch (error) {
        if (tries === mostTries || !(error instanceof Refused && error.isTemporary)) throw error
        await sleep(tries * 1_000)
      }
    }
  }

  async #newPerson(kind: CallerKind): Promise<Caller> {
    const { account, token, sessionId } = await this.#signIn()
    const { userId } = account
    if (kind === 'user by cookie')
      return callerOf(kind, { cookie: `signalbox=${token}` }, { name: userId, account, livesBy: [userId, sessionId] })
    if (kind === 'user by bearer')
      return callerOf(kind, bearer(token), { name: userId, account, livesBy: [userId, sessionId] })
    const made = await this.#parts.upkeep.rest<{ id: string; key: string }>(
      'POST',
      '/api/auth/api-key/create',
      { name: 'fuzz' },
      bearer(token),
    )
    this.#parts.secrets.add(made.key)
    return callerOf(kind, { 'x-api-key': made.key }, { name: made.id, account, livesBy: [userId, made.id] })
  }

  async #signIn(): Promise<SignedIn> {
    const { upkeep, secrets, pools } = this.#parts
    const wanted = this.#newAccount()
    const { user } = await upkeep.rest<{ user: { id: string } }>(
      'POST',
      '/api/auth/admin/create-user',
      wanted,
      this.#root,
    )
    const account: Account = { email: wanted.email, password: wanted.password, userId: user.id }
    const { token } = await upkeep.rest<{ token: string }>('POST', '/api/auth/sign-in/email', {
      email: account.email,
      password: account.password,
    })
    secrets.add(token)
    const own = await upkeep.rest<{ session: { id: string } }>('GET', '/api/auth/get-session', undefined, bearer(token))
    this.accounts.push(account)
    if (this.accounts.length > 100) this.accounts.shift()
    pools.guard(user.id)
    return { account, token, sessionId: own.session.id }
  }

  async #newAgent(): Promise<Caller> {
    const { upkeep, agentUrl, counted, secrets, pools } = this.#parts
    const world: PlayerWorld = {
      upkeep,
      agentUrl,
      counted,
      enrollmentToken: () => this.enrollmentToken(),
      secret: (text) => secrets.add(text),
      runToken: (text) => {
        secrets.add(text)
        this.#runTokens.push(text)
        if (this.#runTokens.length > 5) this.#runTokens.shift()
      },
    }
    const player = await Player.enroll(world, `player ${++this.#names}`)
    this.#players.push(player)
    const { agentId } = player.facts
    pools.guard(agentId)
    pools.pin(agentId)
    pools.paths.push(...player.paths)
    await this.#pinWorktrees(agentId)
    return {
      kind: 'agent',
      // The credential may have changed by now.
      get headers() {
        return bearer(player.facts.credential)
      },
      get params() {
        return bearer(player.facts.credential)
      },
      name: agentId,
      livesBy: [agentId],
      own: [],
      agent: player.facts,
    }
  }

  async #pinWorktrees(agentId: string): Promise<void> {
    const query = 'query ($agentId: ID!) { worktrees(agentId: $agentId) { nodes { id main codebaseId } } }'
    const { worktrees } = await this.#parts.upkeep.graphql<{
      worktrees: { nodes: { id: string; main: boolean; codebaseId: string }[] }
    }>(query, { agentId }, this.#root)
    const { pools } = this.#parts
    for (const { id, codebaseId } of worktrees.nodes) {
      pools.pin(id)
      pools.pin(codebaseId)
    }
  }

  async #dismiss(agentId: string): Promise<void> {
    const player = this.#players.find(({ facts }) => facts.agentId === agentId)
    this.#parts.pools.unpin(agentId)
    await player?.stop()
  }

  async #wronged({ kind, livesBy }: Caller): Promise<string | undefined> {
    const query = 'query ($id: ID!) { actor(id: $id) { status } }'
    const statuses = await Promise.all(
      livesBy.map((id) =>
        this.#parts.upkeep
          .graphql<{ actor: { status: string } | null }>(query, { id }, this.#root)
          .catch(() => undefined),
      ),
    )
    const alive = statuses.length > 0 && statuses.every((one) => one?.actor?.status === 'ACTIVE')
    return alive ? `the credential of an active ${kind} (${livesBy.join(', ')}) was refused` : undefined
  }
}

const token = (): string => randomBytes(32).toString('base64url')

function garbage(random: Random): Readonly<Record<string, string>> {
  const printable = random.text().replace(/[^\x21-\x7e]/g, '') || 'x'
  return random.pick([
    { authorization: `Bearer ${token()}` },
    { authorization: `Bearer agent_${token()}` },
    { authorization: `Bearer svc_${token()}` },
    { authorization: 'Bearer' },
    { authorization: 'Basic YTpi' },
    { authorization: `Bearer ${idPrefixes.agent}_01hzzzzzzzzzzzzzzzzzzzzzzz` },
    { authorization: printable },
    { 'x-api-key': `svc_${token()}` },
    { 'x-api-key': printable },
    { 'x-api-key': '' },
    { cookie: `signalbox=${token()}` },
    { cookie: `signalbox=${printable.replaceAll(';', '')}` },
  ])
}

/** Whether a caller of this kind must be accepted. */
export function mayAsk(kind: CallerKind, access: Access): boolean {
  if (access === 'public') return true
  const principal = principalOf[kind]
  return principal !== undefined && verdict(access, principal) === 'allowed'
}
