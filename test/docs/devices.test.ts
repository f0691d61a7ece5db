/** The examples of docs/devices.md: a device enrolls, which openssl plays. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ada, rest } from '../kit/program/accounts.ts'
import { startDocumentProgram } from './examples/documentProgram.ts'
import { runExamples } from './examples/examples.ts'

test('the examples of docs/devices.md give the output that it shows', async (t) => {
  const world = await startDocumentProgram(t, { localAgent: false })
  const { body } = await rest(world.program.url, 'POST', '/api/auth/sign-in/email', { body: ada })
  const options = { cwd: world.folder, env: { TOKEN: String(body.token) } }
  assert.ok((await runExamples('docs/devices.md', world, options)) >= 4)
})
