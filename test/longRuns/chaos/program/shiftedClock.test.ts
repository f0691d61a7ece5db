import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { test } from 'node:test'

const program = `
  const print = () => console.log(JSON.stringify([Date.now(), new Date().getTime(), performance.now(), new Date(5).getTime()]))
  print()
  process.on('SIGUSR2', print)
  setInterval(() => {}, 1_000)
`

test('the wall clock jumps while the process runs, and monotonic time does not', async (context) => {
  const folder = await mkdtemp(join(tmpdir(), 'clock-'))
  const file = join(folder, 'clock')
  await writeFile(file, '0')
  const preload = new URL('shiftedClock.ts', import.meta.url).href
  const args = ['--no-warnings', `--import=${preload}`, '--input-type=module', '-e', program]
  const child = spawn(process.execPath, args, {
    env: { ...process.env, CHAOS_CLOCK: file },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  context.after(async () => {
    child.kill('SIGKILL')
    await rm(folder, { recursive: true, force: true })
  })
  const lines = createInterface(child.stdout)
  const next = async (): Promise<number[]> => JSON.parse(String((await once(lines, 'line'))[0])) as number[]
  const [before = 0, , monotonic = 0] = await next()
  assert.ok(Math.abs(before - Date.now()) < 2_000)
  await writeFile(file, '-200000')
  child.kill('SIGUSR2')
  const [after = 0, constructed = 0, later = 0, given] = await next()
  assert.ok(Math.abs(after + 200_000 - Date.now()) < 2_000)
  assert.ok(Math.abs(constructed - after) < 1_000)
  assert.ok(later > monotonic && later - monotonic < 10_000)
  assert.equal(given, 5)
})
