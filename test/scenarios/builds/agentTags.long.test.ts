/** Tags of machines, and build configurations that require them, on a machine with the real agent. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Machine, startMachine } from '../../kit/program/machine.ts'
import {
  createConfiguration,
  lookAtBuild,
  startBuild,
  untilBuild,
  withRemote,
} from '../../kit/program/objects/builds.ts'
import { mutate } from '../../kit/program/runs.ts'
import { refusal, startTestProgram, type TestProgram } from '../../kit/program/testProgram.ts'
import { until } from '../../kit/program/until.ts'

let stage: TestProgram
let machine: Machine
let repositoryId = ''

before(async () => {
  stage = await startTestProgram()
  machine = await startMachine(stage, { hasTestClis: false })
  ;({ repositoryId } = await withRemote(stage, machine))
})
after(() => stage?.end())

interface Tagged {
  readonly tags: readonly string[]
  readonly revision: number
}

const setTags = async (tags: readonly string[], more: Readonly<Record<string, unknown>> = {}) =>
  (
    await mutate<{ agent: Tagged }>(
      stage.ask,
      'setAgentTags',
      { agentId: machine.agentId, tags, ...more },
      'agent { tags revision }',
    )
  ).agent

let configurations = 0
const configure = (tags: readonly string[]) =>
  createConfiguration(stage.ask, { repositoryId, name: `tagged ${++configurations}`, requirements: { tags } })

const build = async (buildConfigurationId: string) =>
  await startBuild(stage.ask, { buildConfigurationId, worktreeId: machine.worktree('main') })

const namesWithTags = async (tags: readonly string[]) => {
  const { agentConnection } = await stage.ask<{ agentConnection: { nodes: readonly { readonly name: string }[] } }>(
    'query ($tags: [String!]) { agentConnection(first: 9, tags: $tags) { nodes { name } } }',
    { tags },
  )
  return agentConnection.nodes.map(({ name }) => name)
}

describe('the tags of a machine', () => {
  test('are set as a whole, and found by the list of machines and by search', async () => {
    const { revision } = await setTags(['xcode-16', 'gpu', 'gpu'])
    const { agent } = await stage.ask<{ agent: Tagged }>('query ($id: ID!) { agent(id: $id) { tags revision } }', {
      id: machine.agentId,
    })
    assert.deepEqual(agent, { tags: ['gpu', 'xcode-16'], revision })
    assert.deepEqual(await namesWithTags(['gpu', 'xcode-16']), ['builder'])
    assert.deepEqual(await namesWithTags(['gpu', 'other']), [])
    await until('the search to find it', async () => {
      const { globalSearch } = await stage.ask<{ globalSearch: { hits: readonly { readonly id: string }[] } }>(
        '{ globalSearch(text: "xcode-16") { hits { id } } }',
      )
      return globalSearch.hits.some(({ id }) => id === machine.agentId)
    })
    assert.deepEqual(await setTags(['gpu', 'xcode-16']), { tags: ['gpu', 'xcode-16'], revision })
    assert.deepEqual(await setTags([]), { tags: [], revision: revision + 1 })
    assert.deepEqual(await namesWithTags(['gpu']), [])
  })

  test('have bounds, and a stale edit changes nothing', async () => {
    const { revision } = await setTags(['a'])
    for (const [tags, message] of [
      [['GPU'], /tags\.0: must be lower-case letters/],
      [['a b'], /tags\.0: must be lower-case letters/],
      [['x'.repeat(51)], /tags\.0: .*50/],
      [Array.from({ length: 21 }, (_, index) => `t${index}`), /tags: .*20/],
    ] as const) {
      const refused = await refusal(setTags(tags))
      assert.equal(refused.code, 'BAD_USER_INPUT')
      assert.match(refused.message, message)
    }
    const stale = await refusal(setTags(['b'], { expectedRevision: revision - 1 }))
    assert.equal(stale.code, 'CONFLICT')
    assert.deepEqual(await setTags(['a']), { tags: ['a'], revision })
  })
})

describe('a configuration that requires tags', () => {
  test('is built only on a machine that has all of them', async () => {
    await setTags(['gpu'])
    const configurationId = await configure(['gpu', 'mac:m4'])
    const refused = await refusal(build(configurationId))
    assert.equal(refused.code, 'FAILED_PRECONDITION')
    assert.match(
      refused.message,
      /needs the tag mac:m4, and builder does not have it\. Use a worktree on another machine\./,
    )
    await setTags(['gpu', 'mac:m4'])
    const { id } = await build(configurationId)
    await untilBuild(stage.ask, id, ['SUCCEEDED'])
    await setTags([])
    const again = await refusal(mutate(stage.ask, 'rebuild', { buildId: id }, 'build { id }'))
    assert.match(again.message, /needs the tags gpu, mac:m4/)
  })

  test('fails if a tag is removed before the machine accepts the build', async () => {
    await setTags(['gpu'])
    const configurationId = await configure(['gpu'])
    await machine.stop()
    const { id } = await build(configurationId)
    await until('the build to wait', async () => (await lookAtBuild(stage.ask, id)).status === 'ASSIGNED')
    await setTags(['other'])
    await machine.start()
    const { problem } = await untilBuild(stage.ask, id, ['FAILED'])
    assert.equal(problem?.code, 'REQUIREMENTS_NOT_MET')
    assert.match(problem?.message ?? '', /needs the tag gpu, and builder does not have it/)
    await setTags(['gpu'])
    await untilBuild(stage.ask, (await build(configurationId)).id, ['SUCCEEDED'])
  })
})
