import assert from 'node:assert/strict'
import { test } from 'node:test'
import { redact } from '../../../clients/agent/log.ts'
import { childEnvironment } from '../../../clients/agent/system/environment.ts'
import { withoutCredentials } from '../../../clients/agent/system/git.ts'

const addresses: Record<string, string> = {
  'https://user:secret@example.org/a.git': 'https://example.org/a.git',
  'https://secret-token@example.org/a.git': 'https://example.org/a.git',
  'ssh://git:secret@example.org/a.git': 'ssh://git@example.org/a.git',
  'git@example.org:team/a.git': 'git@example.org:team/a.git',
  '/srv/git/a.git': '/srv/git/a.git',
  'https://user:sec ret@exa mple/a.git': 'https://exa mple/a.git',
  'https://example.org/a.git?private_token=secret&x=1': 'https://example.org/a.git?x=1',
}
for (const [address, shown] of Object.entries(addresses)) {
  test(`the address ${address} is reported as ${shown}`, () => assert.equal(withoutCredentials(address), shown))
}

const lines: Record<string, string> = {
  'token agent_0123456789abcdef refused': 'token agent_*** refused',
  '"enroll_0123456789abcdef"': '"enroll_***"',
  'Authorization: Bearer abc.def-123456': 'Authorization: Bearer ***',
  'fatal: https://me:pw@example.org/x not found': 'fatal: https://***@example.org/x not found',
  'agent_name is fine': 'agent_name is fine',
}
for (const [line, shown] of Object.entries(lines)) {
  test(`the log line “${line}” is written as “${shown}”`, () => assert.equal(redact(line), shown))
}

test('child processes get the user’s environment without the agent’s settings', () => {
  const own = { PATH: '/bin', SIGNALBOX_TOKEN: 'enroll_x', SIGNALBOX_JOB: 'outer.1', GIT_DIR: '/x', EMPTY: undefined }
  assert.deepEqual(childEnvironment(own), { PATH: '/bin' })
})
