/** A link that is lost in the middle of an upload: `network/cutLink.ts` in a network of its own. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { test } from 'node:test'
import { networkNamespaceProblem, ownNetwork } from '../../../kit/program/networkNamespace.ts'

test('an upload continues after the link of its agent was down for 5 s and for 75 s, longer than every idle time-out', {
  // The runner lists the reason of each test that it skips.
  skip: networkNamespaceProblem() ?? false,
  timeout: 600_000,
}, async (context) => {
  const [command = '', ...args] = [...ownNetwork, process.execPath, resolve(import.meta.dirname, 'network/cutLink.ts')]
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], signal: context.signal })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data: Buffer) => (output += data.toString()))
  const [code] = await once(child, 'close')
  for (const line of output.trim().split('\n')) context.diagnostic(line)
  assert.equal(code, 0, output)
})
