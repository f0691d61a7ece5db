/**
 * Jobs of an agent whose state folder is on a small disk that becomes full, and empty again. It mounts a file system, so it runs in a mount
 * namespace of its own. The argument is the file system.
 */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { chmodSync, existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { packSkill } from '../../../../spec/work/skills/skillArchive.ts'
import { completion, openAgentHost, until } from '../../../kit/program/agent/agentHost.ts'
import { ask, clis } from '../../../kit/program/agent/cli.ts'
import type { FakeJob } from '../../../kit/program/agent/fakeJob.ts'
import { type FileSystem, LimitedDisk } from '../../../longRuns/chaos/uploads/disk/limitedDisk.ts'

const MiB = 1024 * 1024
const cleanUps: (() => Promise<void>)[] = []
const world = await openAgentHost({
  after: (cleanUp: () => Promise<void>) => cleanUps.push(cleanUp),
} as never as TestContext)
const disk = new LimitedDisk(world.state, process.argv[2] as FileSystem, 32 * MiB)
try {
  chmodSync(world.state, 0o700)
  const agent = await world.connect(...clis)
  const printing = world.run({ print: 'while :; do echo a line; sleep 0.01; done' })
  const silent = world.run({ wait: 'echo begun; until [ -e go ]; do sleep 0.1; done' })
  const conversation = ask(world, 'permission\nmany 200')
  await until(() => printing.text('STDOUT') !== '' && silent.text('STDOUT') !== '', 'the commands have begun')
  await until(() => conversation.state === 'WAITING', 'the question')

  /** An ended job frees what it used, so the disk is filled again. */
  const refill = async (jobsLeft: number) => {
    await until(() => world.plane.heartbeats.at(-1)?.jobs.length === jobsLeft, 'a job is settled', agent.stdout)
    // ext4 gives blocks free only after it has written their release, which the first call waits for.
    for (let count = 0; count < 2; count++) disk.fill()
  }
  disk.fill()
  await until(() => printing.completion, 'the end of the command that prints')
  await refill(2)
  world.plane.signal(conversation, 'ANSWER', { answerId: 'a1', answer: { optionId: 'yes', text: null } })
  await until(() => conversation.completion, 'the end of the conversation')
  await refill(1)
  const offered = world.run({ never: 'touch never' })
  const refused = () => (offered.refusal ?? offered.completion) !== undefined
  await until(refused, 'the refusal of a new job', agent.stdout)
  assert.equal(offered.refusal?.code ?? offered.completion?.errorCode, 'DISK_FULL')
  await refill(1)
  // The repository is on another disk.
  writeFileSync(join(world.repo, 'go'), '')
  for (const job of [printing, silent, conversation]) {
    const { outcome, errorCode, errorMessage, processesLeft } = await completion(job, agent.stdout)
    assert.deepEqual([outcome, errorCode, processesLeft], ['FAILED', 'DISK_FULL', 0], `${job.id}: ${errorMessage}`)
    assert.ok(errorMessage?.includes(world.state), `${errorMessage}`)
  }
  assert.ok(!existsSync(join(world.repo, 'never')))
  assert.match(printing.text('STDOUT'), /^(a line\n)+(a line)?$/)
  const beats = world.plane.heartbeats.length
  await until(() => world.plane.heartbeats.length > beats + 2, 'heartbeats')

  disk.free()
  /** A download that does not fit. */
  const endsFull = async (job: FakeJob) => {
    const { outcome, errorCode, errorMessage } = await completion(job, agent.stdout)
    assert.deepEqual([outcome, errorCode], ['FAILED', 'DISK_FULL'], `${job.id}: ${errorMessage}`)
    const beats = world.plane.heartbeats.length
    const isSettled = () =>
      world.plane.heartbeats.length > beats + 1 && world.plane.heartbeats.at(-1)?.jobs.length === 0
    await until(isSettled, 'the job is settled', agent.stdout)
  }
  const serve = (name: string, bytes: Uint8Array) => {
    world.plane.archives.set(`/${name}`, bytes)
    return { name, url: `${world.plane.url}/${name}`, sha256: createHash('sha256').update(bytes).digest('hex') }
  }
  const attached = ask(world, 'say Never.')
  const large = Buffer.alloc(64 * MiB)
  attached.attachments.push({ ...serve('large', large), contentType: 'text/plain', size: large.length })
  await endsFull(attached)

  const other = join(world.state, 'other')
  writeFileSync(other, Buffer.alloc(disk.freeBytes - MiB))
  const skilled = ask(world, 'say Never.')
  const archive = packSkill([{ path: 'SKILL.md', executable: false, bytes: Buffer.alloc(2 * MiB) }])
  skilled.skills.push({ ...serve('check', archive), skillId: 'skl_1', version: 1, archiveSize: archive.length })
  await endsFull(skilled)
  rmSync(other)

  const command = world.run({ print: 'echo fine' })
  const talk = ask(world, 'say Good day.')
  for (const job of [command, talk])
    assert.equal((await completion(job, agent.stdout)).outcome, 'SUCCEEDED', agent.stdout())
  await until(() => world.plane.heartbeats.at(-1)?.jobs.length === 0, 'all jobs are settled', agent.stdout)
  assert.equal(agent.child.exitCode, null)
} finally {
  for (const cleanUp of cleanUps) await cleanUp().catch(() => {})
  disk.unmount()
}
process.exit(0)
