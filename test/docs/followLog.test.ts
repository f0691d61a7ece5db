/** The documented example that follows a log, when its connection is cut in the middle of the output. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { join, resolve } from 'node:path'
import { after, before, test } from 'node:test'
import { startMachine } from '../kit/program/machine.ts'
import { bareEnvironment } from '../kit/program/program.ts'
import { startRun } from '../kit/program/runs.ts'
import { gate, startTestProgram, type TestProgram } from '../kit/program/testProgram.ts'
import { until } from '../kit/program/until.ts'

const project = resolve(import.meta.dirname, '../..')
let stage: TestProgram

before(async () => {
  stage = await startTestProgram()
})
after(() => stage?.end())

/** Passes connections on to the program. */
async function startProxy(): Promise<{ readonly url: string; cut(): number }> {
  const open = new Set<Socket>()
  const listener = createServer((client) => {
    const server = connect(stage.ports.main, '127.0.0.1')
    open.add(client)
    client.on('close', () => open.delete(client) && server.destroy())
    server.on('close', () => client.destroy())
    for (const socket of [client, server]) socket.on('error', () => {})
    client.pipe(server).pipe(client)
  })
  await new Promise<void>((done) => listener.listen(0, '127.0.0.1', done))
  stage.onEnd(() => listener.close())
  return {
    url: `http://127.0.0.1:${(listener.address() as AddressInfo).port}`,
    cut() {
      const cut = [...open]
      for (const socket of cut) socket.resetAndDestroy()
      return cut.length
    },
  }
}

test('after a cut connection the log continues, and no line is missing or printed twice', async () => {
  const machine = await startMachine(stage, { branches: ['a'] })
  const proxy = await startProxy()
  const half = gate(stage)
  const command = `seq 1 500; ${half.command}; seq 501 1000`
  const run = await startRun(stage.ask, { worktreeId: machine.worktree('a'), command })
  const example = spawn(process.execPath, [join(project, 'docs/examples/log.ts'), proxy.url, run.id], {
    cwd: project,
    env: { ...bareEnvironment(), SIGNALBOX_KEY: stage.key },
  })
  let output = ''
  let problems = ''
  example.stdout.on('data', (data: Buffer) => (output += data))
  example.stderr.on('data', (data: Buffer) => (problems += data))
  const ended = new Promise<number | null>((done) => example.once('exit', done))
  await until('the first half of the log', () => output.includes('500\n') || undefined)
  assert.equal(proxy.cut(), 1)
  await half.open()
  assert.equal(await ended, 0, problems)
  const numbers = Array.from({ length: 1000 }, (_, index) => `${index + 1}`)
  assert.deepEqual(output.trimEnd().split('\n'), ['▶ command', ...numbers.slice(0, 500), 'done', ...numbers.slice(500)])
})
