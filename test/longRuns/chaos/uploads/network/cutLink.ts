/**
 * A real agent in a network namespace loses its link in the middle of an upload. Packets get lost, and no connection is reset. This program
 * runs in a network of its own.
 */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { startMachine } from '../../../../kit/program/machine.ts'
import { NetworkNamespace } from '../../../../kit/program/networkNamespace.ts'
import {
  createConfiguration,
  readBuildLog,
  startBuild,
  untilBuild,
  withRemote,
} from '../../../../kit/program/objects/builds.ts'
import { startTestProgram } from '../../../../kit/program/testProgram.ts'
import { until } from '../../../../kit/program/until.ts'

const MiB = 1024 * 1024
const size = 120 * MiB
const megabits = 80
/** In the first silence the connections survive. The second one is longer than the patience of the server, 30 s, and of the agent, 60 s. */
const silencesMs = [5_000, 75_000] as const
/** The bytes that two interruptions may send again, with the heads of all packets and what the agent sends beside the upload. */
const mostAgainBytes = 32 * MiB
const endMs = 240_000

async function cutLink(report: (line: string) => void): Promise<void> {
  const network = new NetworkNamespace(megabits)
  const stage = await startTestProgram({ env: { HOST: '0.0.0.0', LIMIT_DISK_RESERVE_BYTES: '1' } })
  try {
    const server = `http://${network.address}:${stage.ports.main}`
    const machine = await startMachine(stage, { hasTestClis: false, server, prefix: network.prefix })
    const { repositoryId } = await withRemote(stage, machine)
    const buildConfigurationId = await createConfiguration(stage.ask, {
      ...{ repositoryId, artifacts: ['*.bin'] },
      steps: [{ name: 'make', command: `head -c ${size} /dev/urandom > large.bin; sha256sum large.bin` }],
    })
    const before = network.receivedBytes
    const received = () => network.receivedBytes - before
    const { id } = await startBuild(stage.ask, { buildConfigurationId, worktreeId: machine.worktree('main') })
    for (const [n, silenceMs] of silencesMs.entries()) {
      await until('the middle of the upload', () => received() > ((n + 1) * size) / 4, endMs)
      network.down()
      const atDown = received()
      assert.ok(atDown < size, 'the upload was too fast')
      await sleep(silenceMs)
      assert.equal(received(), atDown, 'the link was not down')
      network.up()
      report(`${atDown} bytes were received before ${silenceMs} ms of silence`)
    }
    await untilBuild(stage.ask, id, ['SUCCEEDED'], endMs)
    const [, built] = /([0-9a-f]{64}) {2}large\.bin/.exec(await readBuildLog(stage.ask, id)) ?? []
    assert.ok(built)
    const { links } = await stage.ask<{ links: { downloadUrl: string }[] }>(
      'query ($id: ID!) { links: buildArtifactLinks(buildId: $id) { downloadUrl } }',
      { id },
    )
    const { pathname, search } = new URL(links[0]?.downloadUrl ?? '')
    const answer = await fetch(`${stage.url}${pathname}${search}`)
    assert.equal(
      createHash('sha256')
        .update(new Uint8Array(await answer.arrayBuffer()))
        .digest('hex'),
      built,
    )
    report(`${received()} bytes were received of a file of ${size}`)
    assert.ok(received() < size + mostAgainBytes)
  } finally {
    network.up()
    await stage.end()
    network.remove()
  }
}

await cutLink(console.log)
