/**
 * The protocol's own conformance suite, in all its server scenarios. Those that need what the endpoint does not announce are
 * listed: the suite fails where one of them passes after all.
 */
import { equal } from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import { startTestGateway } from '../../kit/runtime/testGateway.ts'
import { fixtureTools } from './fixtureTools.ts'
import { runProgram } from './runPackage.ts'
import { withKey } from './withKey.ts'

/** By the capability that they need. */
const notAnnounced = {
  // It is stateless: there is none to resume a stream in. The suite warns of that and goes no further.
  sessions: ['server-sse-polling', 'server-sse-multiple-streams'],
  completions: ['completion-complete'],
  sampling: ['tools-call-sampling'],
  elicitation: ['tools-call-elicitation', 'elicitation-sep1034-defaults', 'elicitation-sep1330-enums'],
  resources: ['resources-list', 'resources-read-text', 'resources-read-binary', 'resources-templates-read'],
  subscriptions: ['resources-subscribe', 'resources-unsubscribe'],
  prompts: [
    'prompts-list',
    'prompts-get-simple',
    'prompts-get-with-args',
    'prompts-get-embedded-resource',
    'prompts-get-with-image',
  ],
}

it('the MCP endpoint passes the conformance suite', { timeout: 120_000 }, async (t) => {
  const world = await startTestGateway({ options: { tools: fixtureTools } })
  t.after(() => world.stop())
  const { userId } = await world.signIn()
  const { token } = await world.apiKey(userId)
  const door = await withKey(world.url, token)
  t.after(() => door.close())
  const folder = await mkdtemp(join(tmpdir(), 'conformance-'))
  t.after(() => rm(folder, { recursive: true }))
  const baseline = join(folder, 'baseline.yml')
  await writeFile(
    baseline,
    `server:\n${Object.values(notAnnounced)
      .flat()
      .map((name) => `  - ${name}\n`)
      .join('')}`,
  )

  const args = ['server', '--url', `${door.url}/api/mcp`, '--suite', 'all', '--expected-failures', baseline]
  const { code, output } = await runProgram('@modelcontextprotocol/conformance/dist/index.js', args, folder)
  equal(code, 0, output)
})
