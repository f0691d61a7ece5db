import assert from 'node:assert/strict'
import { existsSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { describe, test } from 'node:test'
import { completion, isRunning, openAgentHost, until } from '../../../kit/program/agent/agentHost.ts'

const output = '"$SIGNALBOX_OUTPUT"'

// They wait more than they work.
describe('outputs of commands', { concurrency: 3 }, () => {
  test('all steps of a command write to one file outside of the worktree, and the result has their values', async (t) => {
    const world = await openAgentHost(t)
    await world.connect()
    const job = world.run({
      look: `wc -c < ${output}; echo ${output}`,
      first: `echo version=1.4.0 >> ${output}`,
      second: `printf 'notes<<END\\none\\ntwo\\nEND\\n' >> ${output}; test "$(head -n 1 ${output})" = version=1.4.0`,
    })
    const result = await completion(job)
    assert.equal(result.outcome, 'SUCCEEDED', job.text())
    assert.deepEqual(result.result, { outputs: { version: '1.4.0', notes: 'one\ntwo' } })
    const [size, path = ''] = job.text('STDOUT').split('\n')
    assert.equal(size?.trim(), '0')
    assert.match(relative(world.root, path), /^\.\./)
    await until(() => !existsSync(path), 'the file is deleted with the folder of the job')
  })

  test('a command without outputs has no result', async (t) => {
    const world = await openAgentHost(t)
    await world.connect()
    const jobs = [world.run({ speak: 'echo hello' }), world.run({ reset: `rm ${output}` })]
    for (const job of jobs) {
      const result = await completion(job)
      assert.equal(result.outcome, 'SUCCEEDED')
      assert.equal(result.result, undefined)
    }
  })

  test('a command that fails, times out or is canceled has the outputs that it wrote before', async (t) => {
    const world = await openAgentHost(t)
    await world.connect()
    const write = `echo reached=1 >> ${output}; echo written`
    const failing = world.run({ fail: `${write}; exit 3` })
    const slow = world.run({ wait: `${write}; sleep 600` }, { timeoutSeconds: 0.5 })
    const canceled = world.run({ wait: `${write}; sleep 600` })
    await until(() => canceled.text('STDOUT') !== '', 'the output is written')
    world.plane.signal(canceled, 'CANCEL')
    for (const [job, outcome] of [
      [failing, 'FAILED'],
      [slow, 'TIMED_OUT'],
      [canceled, 'CANCELED'],
    ] as const) {
      const result = await completion(job)
      assert.equal(result.outcome, outcome)
      assert.deepEqual(result.result, { outputs: { reached: '1' } }, outcome)
    }
  })

  test('outputs that break a rule fail the command, and the log has the line and the rule', async (t) => {
    const world = await openAgentHost(t)
    await world.connect()
    const job = world.run({ write: `echo a=1 >> ${output}; echo no sign >> ${output}` })
    const result = await completion(job)
    const message = 'SIGNALBOX_OUTPUT, line 2: "no sign" is neither name=value nor name<<DELIMITER.'
    assert.equal(result.outcome, 'FAILED')
    assert.equal(result.errorCode, 'BAD_OUTPUT')
    assert.equal(result.errorMessage, message)
    assert.equal(result.exitCode, 0)
    assert.equal(result.result, undefined)
    assert.equal(job.text('SYSTEM'), `▶ write\n${message}\n`)
  })

  test('a failed command with invalid outputs reports its own error, and the log has the error of the outputs', async (t) => {
    const world = await openAgentHost(t)
    await world.connect()
    const job = world.run({ write: `echo no sign >> ${output}; exit 3` })
    const result = await completion(job)
    assert.equal(result.errorCode, 'STEP_FAILED')
    assert.equal(result.result, undefined)
    assert.match(job.text('SYSTEM'), /line 1: "no sign" is neither/)
  })

  test('a command that replaces its output file by a link, a folder or a pipe fails, and the replacement is not read', async (t) => {
    const world = await openAgentHost(t)
    await world.connect()
    writeFileSync(join(world.root, 'other.txt'), 'a=1\n')
    const replacements = {
      'a link': `ln -sf '${join(world.root, 'other.txt')}' ${output}`,
      'a folder': `rm ${output}; mkdir ${output}; touch ${output}/a`,
      'a pipe': `rm ${output}; mkfifo ${output}`,
      'a link to a device': `ln -sf /dev/zero ${output}`,
    }
    for (const [what, command] of Object.entries(replacements)) {
      const result = await completion(world.run({ replace: command }))
      assert.equal(result.errorCode, 'BAD_OUTPUT', what)
      assert.match(result.errorMessage ?? '', /no longer a file/, what)
      assert.equal(result.result, undefined, what)
    }
  })

  test('a child process that still writes is ended before the outputs are read', async (t) => {
    const world = await openAgentHost(t)
    await world.connect()
    const write =
      'trap "" TERM; echo $$; i=0; while :; do i=$((i + 1)); echo "count=$i" >> "$SIGNALBOX_OUTPUT"; sleep 0.01; done'
    const job = world.run({ leave: `sh -c '${write}' & sleep 0.3` })
    const result = await completion(job)
    assert.equal(result.outcome, 'SUCCEEDED')
    assert.equal(result.processesLeft, 0)
    assert.match(String((result.result as { outputs: { count: string } }).outputs.count), /^\d+$/)
    assert.ok(!isRunning(Number(job.text('STDOUT'))))
  })

  test('an agent that is restarted during a command reports the outputs of the command', async (t) => {
    const world = await openAgentHost(t)
    const first = await world.connect()
    const job = world.run({ write: `echo before=1 >> ${output}; echo begun; sleep 1; echo after=2 >> ${output}` })
    await until(() => job.text('STDOUT') !== '', 'the command has begun')
    await first.kill('SIGKILL')
    await world.connect()
    const result = await completion(job)
    assert.deepEqual(result.result, { outputs: { before: '1', after: '2' } })
  })
})
