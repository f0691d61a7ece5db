/** Downloads whose file cannot be written, because the disk is full: each write to `/dev/full` fails so. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmdirSync, symlinkSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { downloadFile } from '../../../../clients/agent/deployments/downloadFile.ts'
import { downloadAttachments, placeAttachments } from '../../../../clients/agent/jobs/attachments.ts'
import type { Logger } from '../../../../clients/agent/log.ts'
import { loadSkills } from '../../../../clients/agent/skills/runSkills.ts'
import { SkillStore } from '../../../../clients/agent/skills/skillStore.ts'
import { WorktreeSkills } from '../../../../clients/agent/skills/worktreeSkills.ts'
import { packSkill } from '../../../../spec/work/skills/skillArchive.ts'

const skip = existsSync('/dev/full') ? false : 'this system has no /dev/full'
const bytes = packSkill([{ path: 'SKILL.md', executable: false, bytes: Buffer.from('---\nname: check\n---\n') }])
const sha256 = createHash('sha256').update(bytes).digest('hex')
const { signal } = new AbortController()
const logger = { info() {}, warn() {}, error() {} } as unknown as Logger
const noSpace = { code: 'ENOSPC' }

/** A folder, and a server that answers each request with the bytes. */
async function open(t: TestContext, status = 200) {
  const folder = await mkdtemp(join(tmpdir(), 'sb-full-'))
  let requests = 0
  const server = createServer((_, response) => {
    requests += 1
    response.writeHead(status).end(bytes)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(async () => {
    server.close()
    await rm(folder, { recursive: true, force: true })
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  return { folder, url, countRequests: () => requests }
}

/** Writes to the file fail. */
function fill(path: string): void {
  mkdirSync(dirname(path), { recursive: true })
  symlinkSync('/dev/full', path)
}

const skillAt = (url: string) => ({
  skillId: 'skl_1',
  name: 'check',
  version: 1,
  archiveSize: bytes.length,
  sha256,
  url,
})

async function openSkills(folder: string) {
  const store = new SkillStore(folder)
  await store.open()
  return store
}

test('a full disk fails the download of an attachment without a retry, and the partial file is deleted', {
  skip,
}, async (t) => {
  const { folder, url, countRequests } = await open(t)
  const attachments = [{ name: 'notes.txt', contentType: 'text/plain', size: bytes.length, sha256, url }]
  const path = placeAttachments(attachments, folder)[0]?.path ?? ''
  fill(path)
  await assert.rejects(downloadAttachments({ attachments, runToken: 't' }, folder, signal), noSpace)
  assert.equal(countRequests(), 1)
  assert.equal(existsSync(path), false)
})

test('a full disk fails the download of a skill without a retry, and the partial file is deleted', {
  skip,
}, async (t) => {
  const { folder, url, countRequests } = await open(t)
  const store = await openSkills(folder)
  const part = join(folder, 'skills', `${sha256}.tmp`)
  fill(part)
  const skills = { store, worktrees: new WorktreeSkills(logger) }
  await assert.rejects(loadSkills({ skills: [skillAt(url)], runToken: 't' }, skills, signal), noSpace)
  assert.equal(countRequests(), 1)
  assert.equal(existsSync(part), false)
  assert.match(store.list()[0]?.problem ?? '', /ENOSPC/)
})

test('a full disk fails the download of the file of a deployment without a retry, and the partial file is deleted', {
  skip,
}, async (t) => {
  const { folder, url, countRequests } = await open(t, 206)
  const path = join(folder, 'app')
  fill(`${path}.part`)
  const options = {
    ...{ credential: async () => 'agent_1', epoch: async () => 1, signal },
    ...{ onProgress: () => {}, onInterruption: () => {} },
  }
  await assert.rejects(downloadFile({ url, name: 'app', size: bytes.length, sha256, path }, options), noSpace)
  assert.equal(countRequests(), 1)
  assert.equal(existsSync(`${path}.part`), false)
})

test('a list of skills that cannot be written is not changed in memory either', async (t) => {
  const { folder, url } = await open(t)
  const store = await openSkills(folder)
  const index = join(folder, 'skills', 'index.json')
  let changes = 0
  store.onChange = () => void changes++
  // A file cannot replace a folder.
  mkdirSync(index)
  await assert.rejects(store.load(skillAt(url), 't', signal))
  assert.deepEqual([store.list(), changes, store.isUsed], [[], 0, false])
  rmdirSync(index)
  await store.load(skillAt(url), 't', signal)
  const versions = [{ skillId: 'skl_1', version: 1, sha256 }]
  assert.deepEqual(store.list(), versions)
  assert.deepEqual(JSON.parse(readFileSync(index, 'utf8')), versions)
  await rm(index)
  mkdirSync(index)
  await assert.rejects(store.drop(versions))
  assert.deepEqual(store.list(), versions)
})
