/** The last enrollment of this machine, in `<state>/enrollment.json`. An interrupted one is repeated with the same idempotency key. */
import { createHash, randomUUID } from 'node:crypto'
import { join } from 'node:path'
import * as v from 'valibot'
import { readJson, writeJson } from '../system/files.ts'

const EnrollmentRecord = v.object({
  idempotencyKey: v.string(),
  tokenSha256: v.string(),
  /** The agent has no answer of the control plane to this token, or has not stored it. */
  isOpen: v.optional(v.boolean(), false),
})
type EnrollmentRecord = v.InferOutput<typeof EnrollmentRecord>

/** Returns whether the token may still enroll this machine: it was not tried, or the agent stopped before it had the answer. */
export async function isUnusedToken(folder: string, token: string): Promise<boolean> {
  const stored = await read(folder)
  return stored === undefined || stored.isOpen || stored.tokenSha256 !== sha256(token)
}

/** Returns the idempotency key for the token. It is durable when this returns. */
export async function beginEnrollment(folder: string, token: string): Promise<string> {
  const stored = await read(folder)
  const tokenSha256 = sha256(token)
  const idempotencyKey = stored?.tokenSha256 === tokenSha256 ? stored.idempotencyKey : randomUUID()
  await writeJson(pathIn(folder), { idempotencyKey, tokenSha256, isOpen: true })
  return idempotencyKey
}

/** The token was accepted and its identity is stored, or it was rejected. */
export async function endEnrollment(folder: string): Promise<void> {
  const stored = await read(folder)
  if (stored?.isOpen) await writeJson(pathIn(folder), { ...stored, isOpen: false })
}

async function read(folder: string): Promise<EnrollmentRecord | undefined> {
  const stored = v.safeParse(EnrollmentRecord, await readJson(pathIn(folder)).catch(() => undefined))
  return stored.success ? stored.output : undefined
}

function pathIn(folder: string): string {
  return join(folder, 'enrollment.json')
}

function sha256(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}
