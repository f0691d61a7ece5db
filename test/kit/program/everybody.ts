/** A real credential of each kind of principal: the columns of the credential matrix. */
import type { OutsidePrincipalKind } from '../../../spec/core/principal.ts'
import { ada, rest } from './accounts.ts'
import { type BareAgent, reportWorktree } from './bareAgent.ts'
import type { Credential } from './graphql.ts'
import { startRun } from './runs.ts'
import type { TestProgram } from './testProgram.ts'

export type Everybody = Readonly<Record<OutsidePrincipalKind, Credential | undefined>>

export async function everybody(stage: TestProgram, agent: BareAgent): Promise<Everybody> {
  const { createEnrollmentToken } = await stage.ask<{ createEnrollmentToken: { token: string } }>(
    'mutation { createEnrollmentToken(input: {}) { token } }',
  )
  return {
    user: await session(stage),
    apiKey: { 'X-API-Key': stage.key },
    agent: { authorization: `Bearer ${agent.credential}` },
    run: { authorization: `Bearer ${await runToken(stage, agent)}` },
    enrollment: { authorization: `Bearer ${createEnrollmentToken.token}` },
    anonymous: undefined,
  }
}

/** A new session of the first account. */
export async function session(stage: TestProgram): Promise<Credential> {
  const { body } = await rest(stage.url, 'POST', '/api/auth/sign-in/email', { body: ada })
  return { authorization: `Bearer ${body.token}` }
}

async function runToken(stage: TestProgram, agent: BareAgent): Promise<string> {
  const { main } = await reportWorktree(stage, agent, '/srv/bare')
  await startRun(stage.ask, { worktreeId: main, command: 'true' })
  const offer = await agent.offers.first('the offer', ({ signal }) => signal === 'OFFER')
  const job = { jobId: offer.jobId, attempt: offer.attempt }
  return (await agent.say<{ runToken: string }>('acceptJob', job, 'runToken')).runToken
}
