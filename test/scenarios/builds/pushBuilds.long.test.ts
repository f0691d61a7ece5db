/** Builds of pushes: webhooks of GitHub and GitLab, on a machine with the real agent. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { git, type Machine, startMachine } from '../../kit/program/machine.ts'
import {
  createConfiguration,
  lookAtBuild,
  readBuildLog,
  untilBuild,
  withRemote,
} from '../../kit/program/objects/builds.ts'
import { mutate } from '../../kit/program/runs.ts'
import { deliver, type Envelope, type Sender, senders } from '../../kit/program/servers/webhookSenders.ts'
import { refusal, startTestProgram, type TestProgram } from '../../kit/program/testProgram.ts'
import { until } from '../../kit/program/until.ts'

let stage: TestProgram
let machine: Machine
let repositoryId = ''
let clone = ''

before(async () => {
  stage = await startTestProgram()
  machine = await startMachine(stage, { branches: ['spare'], hasTestClis: false })
  const { repositoryId: id, remote } = await withRemote(stage, machine)
  repositoryId = id
  clone = join(machine.stateDir, '..', 'clone')
  await git(machine.repository, 'clone', '--quiet', remote, clone)
})
after(() => stage?.end())

interface Integration {
  readonly id: string
  readonly webhookUrl: string
  readonly secret: string
}

async function integrate({ provider, scheme }: Sender): Promise<Integration> {
  const { secret, integration } = await mutate<{ secret: string; integration: Omit<Integration, 'secret'> }>(
    stage.ask,
    'createIntegration',
    { name: `${provider} ${randomUUID().slice(0, 8)}`, provider, scheme },
    'secret integration { id webhookUrl }',
  )
  return { ...integration, secret }
}

let configurations = 0
const configure = (onPush: Readonly<Record<string, unknown>> | null, more: Readonly<Record<string, unknown>> = {}) =>
  createConfiguration(stage.ask, {
    repositoryId,
    name: `pushed ${++configurations}`,
    steps: [{ name: 'build', command: 'cat pushed.txt' }],
    onPush: onPush && { worktreeId: machine.worktree('main'), ...onPush },
    ...more,
  })

/** Commits to a branch of another clone and pushes it. @returns the commit, which the machine does not have */
async function push(branch: string, text: string): Promise<string> {
  await git(clone, 'checkout', '--quiet', '-B', branch)
  await writeFile(join(clone, 'pushed.txt'), `${text}\n`)
  await git(clone, 'add', '.')
  await git(clone, 'commit', '--quiet', '-m', text)
  await git(clone, 'push', '--quiet', '--force', 'origin', branch)
  return await git(clone, 'rev-parse', 'HEAD')
}

const zeros = '0'.repeat(40)

const github = (ref: string, commit: string, more: Readonly<Record<string, unknown>> = {}) => ({
  ref,
  before: zeros,
  after: commit,
  deleted: commit === zeros,
  repository: { full_name: 'acme/shop', clone_url: 'https://git.example.com/acme/shop.git' },
  ...more,
})

/** A delivery of the event, which the sender signs. */
function envelope(sender: Sender, { secret }: Integration, body: object, id: string = randomUUID()): Envelope {
  const sent = sender.send({ secret, at: Date.now(), id, body: Buffer.from(JSON.stringify(body)) })
  return sender.provider === 'GITHUB' ? { ...sent, headers: { ...sent.headers, 'x-github-event': 'push' } } : sent
}

interface Delivery {
  readonly id: string
  readonly push: { readonly branch: string; readonly commit: string } | null
  readonly pushBuilds: readonly {
    readonly id: string
    readonly status: string
    readonly buildId: string | null
    readonly buildConfigurationId: string
    readonly problem: { readonly code: string; readonly message: string } | null
  }[]
}

async function deliveryOf(integration: Integration, id: string): Promise<Delivery> {
  const { webhookDeliveries } = await stage.ask<{ webhookDeliveries: { nodes: readonly Delivery[] } }>(
    `query ($id: ID!) { webhookDeliveries(integrationId: $id, first: 50) { nodes {
      id push { branch commit } pushBuilds { id status buildId buildConfigurationId problem { code message } }
    } } }`,
    { id: integration.id },
  )
  const found = webhookDeliveries.nodes.find((one) => one.id === id)
  assert.ok(found, `the delivery ${id} is listed`)
  return found
}

/** Waits until each of the requested builds was started or refused. */
const untilDecided = (integration: Integration, id: string): Promise<Delivery> =>
  until('the builds of the push', async () => {
    const delivery = await deliveryOf(integration, id)
    const isDecided = delivery.pushBuilds.every(({ status }) => status === 'STARTED' || status === 'REFUSED')
    return isDecided && delivery.pushBuilds.length > 0 ? delivery : undefined
  })

async function send(integration: Integration, sent: Envelope): Promise<{ id: string; repeated: boolean }> {
  const { status, body } = await deliver(integration.webhookUrl, sent)
  assert.equal(status, 202)
  return { id: body.id ?? '', repeated: body.repeated ?? false }
}

async function countBuilds(buildConfigurationId: string): Promise<number> {
  const { builds } = await stage.ask<{ builds: { totalCount: number } }>(
    'query ($id: ID!) { builds(first: 1, buildConfigurationId: $id) { totalCount } }',
    { id: buildConfigurationId },
  )
  return builds.totalCount
}

describe('a push', () => {
  test('is built once: exactly its commit, on the machine of the worktree, however often it is delivered', async () => {
    const integration = await integrate(senders.github)
    const configurationId = await configure({ branches: ['release/*'] })
    const commit = await push('release/1.0', 'first')
    const sent = envelope(senders.github, integration, github('refs/heads/release/1.0', commit))
    const first = await send(integration, sent)
    const again = await Promise.all([send(integration, sent), send(integration, sent)])
    assert.deepEqual(again, Array(2).fill({ id: first.id, repeated: true }))
    // A newer commit does not change what is built.
    await push('release/1.0', 'second')
    const { push: stored, pushBuilds } = await untilDecided(integration, first.id)
    assert.deepEqual(stored, { branch: 'release/1.0', commit })
    assert.deepEqual(
      pushBuilds.map((one) => [one.status, one.buildConfigurationId, one.problem]),
      [['STARTED', configurationId, null]],
    )
    const buildId = pushBuilds[0]?.buildId ?? ''
    await untilBuild(stage.ask, buildId, ['SUCCEEDED'])
    assert.match(await readBuildLog(stage.ask, buildId), /first/)
    const { build } = await stage.ask<{ build: Readonly<Record<string, unknown>> }>(
      `query ($id: ID!) { build(id: $id) {
        trigger commit branch webhookDeliveryId webhookDelivery { id } requestedBy { ... on Integration { id } }
      } }`,
      { id: buildId },
    )
    assert.deepEqual(build, {
      trigger: 'WEBHOOK',
      commit,
      branch: 'release/1.0',
      webhookDeliveryId: first.id,
      webhookDelivery: { id: first.id },
      requestedBy: { id: integration.id },
    })
    assert.equal(await countBuilds(configurationId), 1)
  })

  test('of GitLab is built too, and a newer push does not cancel the build of an older one', async () => {
    const integration = await integrate(senders.gitlabSigned)
    const configurationId = await configure({ branches: ['main'] })
    const body = (commit: string) => ({
      object_kind: 'push',
      ref: 'refs/heads/main',
      before: zeros,
      after: commit,
      project: {
        git_http_url: 'https://git.example.com/acme/shop.git',
        git_ssh_url: 'git@git.example.com:acme/shop.git',
      },
    })
    const older = await push('main', 'older')
    const newer = await push('main', 'newer')
    for (const commit of [older, newer]) {
      const { id } = await send(integration, envelope(senders.gitlabSigned, integration, body(commit)))
      const { pushBuilds } = await untilDecided(integration, id)
      assert.equal(pushBuilds[0]?.status, 'STARTED')
    }
    const { pushBuilds } = await stage.ask<{
      pushBuilds: { nodes: readonly { readonly commit: string; readonly buildId: string }[] }
    }>('query ($id: ID!) { pushBuilds(first: 9, buildConfigurationId: $id) { nodes { commit buildId } } }', {
      id: configurationId,
    })
    assert.deepEqual(
      pushBuilds.nodes.map(({ commit }) => commit),
      [newer, older],
    )
    for (const { buildId } of pushBuilds.nodes) await untilBuild(stage.ask, buildId, ['SUCCEEDED'])
  })

  test('is not built if it is of another branch, a tag, a deleted branch, another repository or another event', async () => {
    const integration = await integrate(senders.github)
    const configurationId = await configure({ branches: ['only-this'] })
    const archived = await configure({ branches: ['**'] })
    await mutate(
      stage.ask,
      'archiveBuildConfiguration',
      { buildConfigurationId: archived },
      'buildConfiguration { id }',
    )
    const commit = await git(clone, 'rev-parse', 'HEAD')
    const clones = { repository: { clone_url: 'https://git.example.com/acme/other.git' } }
    for (const [body, event] of [
      [github('refs/heads/another', commit), 'push'],
      [github('refs/tags/only-this', commit), 'push'],
      [github('refs/heads/only-this', zeros), 'push'],
      [github('refs/heads/only-this', commit, clones), 'push'],
      [github('refs/heads/only-this', commit), 'create'],
    ] as const) {
      const sent = envelope(senders.github, integration, body)
      const { id } = await send(integration, { ...sent, headers: { ...sent.headers, 'x-github-event': event } })
      assert.deepEqual((await deliveryOf(integration, id)).pushBuilds, [], JSON.stringify(body))
    }
    assert.equal(await countBuilds(configurationId), 0)
    assert.equal(await countBuilds(archived), 0)
  })

  test('waits for a machine that is offline', async () => {
    const integration = await integrate(senders.github)
    await configure({ branches: ['offline'] })
    const commit = await push('offline', 'later')
    await machine.stop()
    const { id } = await send(integration, envelope(senders.github, integration, github('refs/heads/offline', commit)))
    const buildId = (await untilDecided(integration, id)).pushBuilds[0]?.buildId ?? ''
    assert.equal((await lookAtBuild(stage.ask, buildId)).trigger, 'WEBHOOK')
    await machine.start()
    const { commit: built } = await untilBuild(stage.ask, buildId, ['SUCCEEDED'])
    assert.equal(built, commit)
  })

  test('that cannot be built is recorded on its delivery, and is an item of the Action Center until one is built', async () => {
    const integration = await integrate(senders.github)
    const configurationId = await configure({ branches: ['tagged'] }, { requirements: { tags: ['push-only'] } })
    const commit = await push('tagged', 'needs a tag')
    const body = github('refs/heads/tagged', commit)
    const { id } = await send(integration, envelope(senders.github, integration, body))
    const { pushBuilds } = await untilDecided(integration, id)
    assert.deepEqual([pushBuilds[0]?.status, pushBuilds[0]?.problem?.code], ['REFUSED', 'FAILED_PRECONDITION'])
    assert.match(pushBuilds[0]?.problem?.message ?? '', /needs the tag push-only, and builder does not have it/)
    const items = async () => {
      const { actionCenter } = await stage.ask<{
        actionCenter: { items: readonly { readonly title: string; readonly detail: string }[] }
      }>('{ actionCenter(kinds: [PUSH_REFUSED]) { items { title detail actions { operation } } } }')
      return actionCenter.items.map(({ title }) => title)
    }
    const { buildConfiguration } = await stage.ask<{ buildConfiguration: { name: string } }>(
      'query ($id: ID!) { buildConfiguration(id: $id) { name } }',
      { id: configurationId },
    )
    assert.deepEqual(await items(), [`${buildConfiguration.name}: tagged ${commit.slice(0, 9)}`])
    const { notifications } = await stage.ask<{
      notifications: { nodes: readonly { readonly title: string; readonly body: string }[] }
    }>('{ notifications(first: 50) { nodes { title body } } }')
    assert.ok(notifications.nodes.some(({ title, body }) => title === 'Push not built' && body === 'tagged'))
    await mutate(stage.ask, 'setAgentTags', { agentId: machine.agentId, tags: ['push-only'] }, 'agent { id }')
    const next = await push('tagged', 'has the tag')
    const later = await send(integration, envelope(senders.github, integration, github('refs/heads/tagged', next)))
    assert.equal((await untilDecided(integration, later.id)).pushBuilds[0]?.status, 'STARTED')
    assert.deepEqual(await items(), [])
  })
})

describe('a configuration that builds pushes', () => {
  test('is refused with the field that is wrong', async () => {
    const other = await startMachine(stage, { name: 'other', hasTestClis: false })
    for (const [onPush, code, message] of [
      [{ branches: [] }, 'BAD_USER_INPUT', /^onPush\.branches: must name at least one branch/],
      [{ branches: ['/main'] }, 'BAD_USER_INPUT', /^onPush\.branches\.0: must be the name of a branch/],
      [
        { branches: ['main'], worktreeId: `wt_${'0'.repeat(26)}` },
        'NOT_FOUND',
        /^onPush\.worktreeId: there is no worktree/,
      ],
      [
        { branches: ['main'], worktreeId: other.worktree('main') },
        'FAILED_PRECONDITION',
        /^onPush\.worktreeId: the worktree is not of the repository/,
      ],
    ] as const) {
      const refused = await refusal(configure(onPush))
      assert.equal(refused.code, code)
      assert.match(refused.message, message)
    }
  })
})
