/**
 * Replaces the identity of the agent. The new one is complete in one file before the first file of the former one changes. If the agent
 * stops in between, its next start continues from that file. So the credential of one agent is never used with the ID of another.
 *
 * The former agent's jobs have ended before. Of its state, the list of repositories is deleted: the new agent would report repositories as
 * missing that it never had. The configuration, the stored skills and the marks of settled jobs stay: they belong to the machine. Lists of
 * devices and CLIs are only in memory. The lock is held by the process.
 */
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import * as v from 'valibot'
import { Identity, readRecord, writeIdentity } from '../state.ts'
import { syncFolder, writeJson } from '../system/files.ts'
import type { CredentialStore } from './credential.ts'
import { endEnrollment } from './enrollmentRecord.ts'

const NewIdentity = v.object({ credential: v.string(), identity: Identity })
type NewIdentity = v.InferOutput<typeof NewIdentity>

export async function replaceIdentity(
  folder: string,
  credentials: CredentialStore,
  replacement: NewIdentity,
): Promise<void> {
  await writeJson(pathIn(folder), replacement)
  await finishReplacement(folder, credentials)
}

/** Continues an interrupted replacement. Call it before anything reads the identity or the credential. */
export async function finishReplacement(folder: string, credentials: CredentialStore): Promise<void> {
  const replacement = await readRecord(pathIn(folder), NewIdentity)
  if (!replacement) return
  await credentials.replace(replacement.credential)
  await rm(join(folder, 'codebases.json'), { force: true })
  await writeIdentity(folder, replacement.identity)
  await endEnrollment(folder)
  await rm(pathIn(folder), { force: true })
  await syncFolder(folder)
}

function pathIn(folder: string): string {
  return join(folder, 'identity.next.json')
}
