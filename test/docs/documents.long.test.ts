/** The examples of the documents against the real program. A document that starts with an account or changes one has its own program. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { freePort } from '../kit/program/ports.ts'
import { type DocumentProgram, type DocumentProgramOptions, startDocumentProgram } from './examples/documentProgram.ts'
import { type ExamplesOptions, runExamples } from './examples/examples.ts'

const testCli = join(import.meta.dirname, '../kit/program/agent/testCli.ts')

interface Documents {
  readonly title: string
  readonly program: DocumentProgramOptions
  /** The documents that share the program, with their least number of examples. */
  readonly examples: Readonly<Record<string, number>>
  options?(world: DocumentProgram): ExamplesOptions
}

const [metricsPort, mcpServerPort] = [await freePort(), await freePort()]
const ownMcpServer = {
  'PORT=3901': `PORT=${mcpServerPort}`,
  'http://localhost:3901': `http://localhost:${mcpServerPort}`,
}

const documents: readonly Documents[] = [
  { title: 'the first start', program: { account: false }, examples: { 'README.md': 3 } },
  { title: 'a new program', program: { account: false }, examples: { 'docs/rest.md': 8 } },
  {
    title: 'a new program without an agent',
    program: { account: false, localAgent: false },
    examples: { 'docs/push.md': 3 },
  },
  { title: 'the first account', program: { account: false, localAgent: false }, examples: { 'docs/pages.md': 1 } },
  {
    title: 'a program with an agent',
    program: {},
    examples: { 'docs/graphql.md': 15, 'docs/search.md': 2 },
  },
  {
    title: 'a program with a coding CLI',
    program: { env: { LOCAL_AGENT_CLIS: `coder=acp:${process.execPath} --no-warnings ${testCli}` } },
    examples: {
      'docs/work/plans.md': 9,
      'docs/work/commands.md': 13,
      'docs/work/workflows.md': 8,
      'docs/work/skills.md': 10,
    },
  },
  {
    title: 'a program with a session',
    program: { env: { LOCAL_AGENT_CLIS: `coder=acp:${process.execPath} --no-warnings ${testCli}` } },
    examples: { 'docs/work/sessions.md': 24 },
  },
  {
    title: 'a program with a repository of its own',
    program: {},
    examples: { 'docs/builds.md': 18 },
    options: ({ folder, key = '' }) => ({ cwd: folder, env: { KEY: key, SIGNALBOX_KEY: key } }),
  },
  { title: 'a program with a free worktree', program: {}, examples: { 'docs/websocket.md': 6 } },
  { title: 'a program with an idle worktree', program: {}, examples: { 'docs/work/schedules.md': 11 } },
  {
    title: 'a program without an agent',
    program: { localAgent: false },
    examples: {
      'docs/apps.md': 8,
      'docs/attachments.md': 5,
      'docs/audit.md': 3,
      'docs/mcp.md': 4,
      'docs/presets.md': 6,
      'docs/signing-assets.md': 3,
      'docs/telemetry.md': 9,
      'docs/webhooks.md': 9,
    },
    options: ({ key = '' }) => ({ env: { KEY: key } }),
  },
  {
    title: 'an agent that is enrolled by hand',
    program: { localAgent: false },
    examples: { 'docs/agent.md': 10 },
    options: ({ folder }) => ({ cwd: folder, env: { SIGNALBOX_STATE: join(folder, 'agent-state') } }),
  },
  {
    title: 'a program with metrics',
    program: { localAgent: false, env: { METRICS_PORT: String(metricsPort) } },
    examples: { 'docs/operations.md': 3 },
    options: () => ({ here: { 'http://localhost:9464': `http://127.0.0.1:${metricsPort}` } }),
  },
  {
    title: 'a program that may send requests to this machine',
    program: { localAgent: false, env: { OUTBOUND_ALLOW: 'localhost' } },
    examples: { 'docs/mcp-servers.md': 6 },
    options: () => ({ here: ownMcpServer }),
  },
]

describe('the examples of each document give the output that it shows', { concurrency: 2 }, () => {
  for (const { title, program, examples, options } of documents)
    test(title, async (t) => {
      const world = await startDocumentProgram(t, program)
      for (const [path, least] of Object.entries(examples))
        await t.test(path, async () => {
          assert.ok((await runExamples(path, world, options?.(world))) >= least)
        })
    })
})
