/** The GitHub Action, run as a runner of GitHub does it, and the commands of its page. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import { parse } from 'yaml'
import { bundleDsymClient } from '../../../clients/dsym/bundle.ts'
import { blocksOf } from '../../docs/examples/blocks.ts'
import { makeBundle, pseudoRandom, put, temporaryFolder } from './kit/bundles.ts'
import { apiKey, type DsymServer, type Fault, startDsymServer } from './kit/dsymServer.ts'

const folder = resolve(import.meta.dirname, '../../../clients/dsym/action')

interface Action {
  readonly inputs: Readonly<Record<string, { readonly required: boolean; readonly default?: string }>>
  readonly runs: {
    readonly using: string
    readonly steps: readonly {
      readonly shell: string
      readonly env: Readonly<Record<string, string>>
      readonly run: string
    }[]
  }
}

const action: Action = parse(readFileSync(join(folder, 'action.yml'), 'utf8'))
const run = promisify(execFile)

interface StepsResult {
  readonly output: string
  readonly isFailed: boolean
}

/** Runs the steps in bash, with the values of the expressions in their environment. */
async function runSteps(
  t: TestContext,
  workspace: string,
  given: Readonly<Record<string, string>>,
): Promise<StepsResult> {
  const value = (name: string) => given[name] ?? action.inputs[name]?.default ?? ''
  const temporary = temporaryFolder(t)
  let output = ''
  for (const { env, run: script } of action.runs.steps) {
    const values = Object.entries(env).map(([name, text]) => [
      name,
      text
        .replace(/\$\{\{ inputs\.(\w+) \}\}/g, (_, input) => value(input))
        .replace(/\$\{\{ github\.action_path \}\}/, folder),
    ])
    const environment = {
      PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
      RUNNER_TEMP: temporary,
      GITHUB_ACTIONS: 'true',
      ...Object.fromEntries(values),
    }
    const args = ['--noprofile', '--norc', '-eo', 'pipefail', '-c', script]
    try {
      output += (await run('bash', args, { cwd: workspace, env: environment })).stdout
    } catch (error) {
      return { output: output + String((error as { stdout?: unknown }).stdout), isFailed: true }
    }
  }
  return { output, isFailed: false }
}

/** The double, which also serves the client. */
async function startServer(t: TestContext, fault: Fault = () => false): Promise<DsymServer> {
  const { source } = await bundleDsymClient()
  const server = await startDsymServer((request, response, count) => {
    if (request.message.url !== '/api/public/dsym/signalbox-dsym.mjs') return false
    if (!fault(request, response, count))
      response.writeHead(200, { 'content-type': 'text/javascript; charset=utf-8' }).end(source)
    return true
  })
  t.after(() => server.stop())
  return server
}

test('the inputs of the action are those of the contract', () => {
  assert.equal(action.runs.using, 'composite')
  assert.deepEqual(Object.keys(action.inputs).sort(), [
    'api_key',
    'chunk_size',
    'dsym_paths',
    'headers',
    'if_no_files_found',
    'server_url',
  ])
  for (const { shell, run: script } of action.runs.steps) {
    assert.equal(shell, 'bash')
    assert.match(script, /^exec node /, 'the client receives the signals of a canceled step')
    assert.doesNotMatch(script, /\$\{\{/, 'an input is never a part of a command')
  }
})

test('the action downloads the client with the extra headers, and uploads a zip', async (t) => {
  const server = await startServer(t)
  const workspace = temporaryFolder(t)
  makeBundle(workspace, 'build/App.dSYM', { files: { App: 5_000 } })
  makeBundle(workspace, 'build/AppTests.xctest.dSYM')
  const { output, isFailed } = await runSteps(t, workspace, {
    server_url: `${server.url}/`,
    api_key: apiKey,
    dsym_paths: 'build/*.dSYM\n!build/*Tests.xctest.dSYM\n',
    chunk_size: '1000',
    headers: 'X-Access: access-token-1\nX-Other: 2:3\n',
  })
  assert.ok(!isFailed, output)
  assert.equal(server.uploads[0]?.status, 'INDEXED')
  assert.equal(server.largestChunk, 1_000)
  for (const { headers } of server.received)
    assert.deepEqual([headers['x-access'], headers['x-other']], ['access-token-1', '2:3'])
  assert.match(output, /Zipping 1 dSYMs/)
})

const pages: readonly {
  readonly title: string
  readonly fault: Fault
  readonly message: RegExp
  readonly requests: number
}[] = [
  {
    title: 'a redirect of an access layer',
    fault: (_, response) => !!response.writeHead(302, { location: 'https://access.example' }).end(),
    message: /::error::.*status 302 and is not the program.*service token/,
    requests: 1,
  },
  {
    title: 'a sign-in page',
    fault: (_, response) => !!response.writeHead(200, { 'content-type': 'text/html' }).end('<html>'),
    message: /::error::.*status 200 and is not the program/,
    requests: 1,
  },
]

for (const { title, fault, message, requests } of pages)
  test(`${title} instead of the client fails the step, and is not executed`, async (t) => {
    const server = await startServer(t, fault)
    const given = { server_url: server.url, api_key: apiKey, dsym_paths: 'x', headers: 'X-Access: access-token-1' }
    const { output, isFailed } = await runSteps(t, temporaryFolder(t), given)
    assert.ok(isFailed)
    assert.match(output, message)
    assert.ok(!output.includes('access-token-1'))
    assert.equal(server.requests.length, requests)
  })

test('a server that restarts is asked for the client again', async (t) => {
  const server = await startServer(t, (_, response, count) => count === 1 && !!response.writeHead(503).end())
  const given = { server_url: server.url, api_key: apiKey, dsym_paths: 'none', if_no_files_found: 'ignore' }
  const { output, isFailed } = await runSteps(t, temporaryFolder(t), given)
  assert.ok(!isFailed, output)
  assert.match(output, /No dSYM was found/)
})

test('the commands for curl in docs/ci/dsym-upload.md upload a zip', async (t) => {
  const script = blocksOf('docs/ci/dsym-upload.md').find(({ text }) => text.includes('--data-binary'))?.text ?? ''
  const server = await startServer(t)
  const workspace = temporaryFolder(t)
  // Two chunks.
  const bytes = pseudoRandom(17_000_000, 5)
  put(join(workspace, 'dSYMs.zip'), bytes)
  const environment = {
    PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
    SIGNALBOX_SERVER: server.url,
    SIGNALBOX_API_KEY: apiKey,
  }
  const { stdout } = await run('bash', ['--norc', '-euo', 'pipefail', '-c', script], {
    cwd: workspace,
    env: environment,
  })
  assert.match(stdout, /"status":"INDEXED"/)
  assert.ok(server.uploads[0]?.bytes.equals(bytes))
  assert.equal(server.largestChunk, 16 * 1024 * 1024)
})
