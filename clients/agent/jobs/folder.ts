import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import * as v from 'valibot'
import { ChangesBase } from '../changes/base.ts'
import type { Attempt } from '../operations.ts'
import { readJson, syncFolder, writeJson } from '../system/files.ts'
import { ProcessIdentity } from '../system/identity.ts'

/**
 * One attempt on disk. These files determine what a restarted agent does:
 * - `job.json`: the attempt was received. It is written before all others.
 * - `run.json`: the supervisor's plan.
 * - `started.json`: a process executes it. It is created once, so an attempt never starts twice.
 * - `cancel.json`: the attempt must end.
 * - `pause.json`: whether the attempt must be paused. `paused.json`: the supervisor has done that.
 * - `conversation.json`: the conversation with the CLI, so that a follow-up can continue it.
 * - `worktree.json`: the state of the worktree before a PLAN run, which must not change it.
 * - `base.json`, `objects`: the content of the worktree before a run, with which it is compared afterwards.
 * - `skills.json`: the folders of skills in the worktree that the attempt uses.
 * - `output`: the log, as a spool. `events` likewise.
 * - `outputs.txt`: the outputs of a command, as the command wrote them.
 * - `commit.txt`: the commit of a build, as soon as it is checked out.
 * - `file`, `work`: the file that a deployment installs, and the folder in which its steps start. `running.txt`: it is installed, and runs.
 * - `signing`: the files of a build's signing assets, until its steps have ended.
 * - `artifacts.json`: the files that a build keeps, with their checksums.
 * - `coverage.json`: the coverage of a build, in the pieces in which it is reported.
 * - `result.json`: how the attempt ended.
 */
export interface JobFolder extends Attempt {
  path: string
  mark: string
  output: string
  events: string
  outputs: string
}

export const JobRecord = v.object({
  jobId: v.string(),
  attempt: v.number(),
  kind: v.picklist(['COMMANDS', 'AI', 'BUILD', 'DEPLOY', 'CREATE_WORKTREE', 'REMOVE_WORKTREE', 'DIFF_IMAGE']),
  /**
   * ABANDONED: kill it and do not report it. SETTLED: the control plane has the result. The record is kept to recognize a late
   * repeat.
   */
  phase: v.picklist(['OFFERED', 'ACCEPTED', 'ABANDONED', 'SETTLED']),
  /** CONVERSATION: the CLI is a child of the agent, so it ends with the agent. */
  mode: v.optional(v.picklist(['SUPERVISED', 'CONVERSATION'])),
  spec: v.optional(v.unknown()),
  settledAt: v.optional(v.number()),
})
export type JobRecord = v.InferOutput<typeof JobRecord>

export const RunPlan = v.object({
  mark: v.string(),
  cwd: v.string(),
  env: v.record(v.string(), v.string()),
  timeoutSeconds: v.number(),
  /** Each is one process. The first that fails ends the run with its `failureCode`. */
  steps: v.array(
    v.object({
      name: v.string(),
      file: v.string(),
      args: v.array(v.string()),
      cwd: v.optional(v.string()),
      env: v.optional(v.record(v.string(), v.string())),
      failureCode: v.optional(v.string()),
    }),
  ),
})
export type RunPlan = v.InferOutput<typeof RunPlan>

export const CancelRecord = v.object({
  outcome: v.picklist(['CANCELED', 'FAILED']),
  errorCode: v.optional(v.string()),
  errorMessage: v.optional(v.string()),
  graceSeconds: v.number(),
})
export type CancelRecord = v.InferOutput<typeof CancelRecord>

const ConversationRecord = v.object({ conversation: v.string(), opening: v.string() })
const WorktreeRecord = v.object({ path: v.string(), state: v.record(v.string(), v.string()) })
const BaseRecord = v.object({ path: v.string(), base: ChangesBase })
const SkillsRecord = v.object({
  worktree: v.string(),
  places: v.array(v.object({ name: v.string(), version: v.number(), sha256: v.string() })),
})
const ArtifactsRecord = v.object({
  files: v.array(v.object({ path: v.string(), size: v.number(), sha256: v.string() })),
})
const fileCounts = {
  linesCovered: v.number(),
  linesTotal: v.number(),
  branchesCovered: v.nullable(v.number()),
  branchesTotal: v.nullable(v.number()),
}
const CoverageRecord = v.object({
  pieces: v.array(v.array(v.object({ path: v.string(), ...fileCounts }))),
  totals: v.object({ ...fileCounts, fileCount: v.number(), omittedFileCount: v.number() }),
})
const PauseRecord = v.object({ isPaused: v.boolean() })

export const JobResult = v.object({
  outcome: v.picklist(['SUCCEEDED', 'FAILED', 'CANCELED', 'TIMED_OUT']),
  exitCode: v.optional(v.number()),
  signal: v.optional(v.string()),
  errorCode: v.optional(v.string()),
  errorMessage: v.optional(v.string()),
  processesLeft: v.number(),
  /** The attempt was rejected before any process was started. */
  refused: v.optional(v.boolean()),
  /** The result of the kind of job. Present after `concluded`; the supervisor of a command adds it before. */
  result: v.optional(v.unknown()),
  concluded: v.optional(v.boolean()),
  /** The files of a build are stored, or cannot be stored. */
  collected: v.optional(v.boolean()),
})
export type JobResult = v.InferOutput<typeof JobResult>

/** Returns undefined if the ID is not a valid folder name. */
export function jobFolder(jobsFolder: string, { jobId, attempt }: Attempt): JobFolder | undefined {
  if (!/^[A-Za-z0-9_-]{1,100}$/.test(jobId) || !Number.isSafeInteger(attempt) || attempt < 0) return undefined
  const mark = `${jobId}.${attempt}`
  return folderAt(join(jobsFolder, mark), jobId, attempt)
}

export function folderAt(path: string, jobId: string, attempt: number): JobFolder {
  return {
    path,
    jobId,
    attempt,
    mark: `${jobId}.${attempt}`,
    output: join(path, 'output'),
    events: join(path, 'events'),
    outputs: join(path, 'outputs.txt'),
  }
}

const names = {
  job: 'job.json',
  run: 'run.json',
  started: 'started.json',
  cancel: 'cancel.json',
  pause: 'pause.json',
  paused: 'paused.json',
  conversation: 'conversation.json',
  worktree: 'worktree.json',
  base: 'base.json',
  skills: 'skills.json',
  artifacts: 'artifacts.json',
  coverage: 'coverage.json',
  result: 'result.json',
}
const schemas = {
  job: JobRecord,
  run: RunPlan,
  started: ProcessIdentity,
  cancel: CancelRecord,
  pause: PauseRecord,
  paused: PauseRecord,
  conversation: ConversationRecord,
  worktree: WorktreeRecord,
  base: BaseRecord,
  skills: SkillsRecord,
  artifacts: ArtifactsRecord,
  coverage: CoverageRecord,
  result: JobResult,
}
type RecordName = keyof typeof schemas
type RecordOf<N extends RecordName> = v.InferOutput<(typeof schemas)[N]>

export function recordPath(folder: { path: string }, name: RecordName): string {
  return join(folder.path, names[name])
}

export async function readRecord<N extends RecordName>(
  folder: { path: string },
  name: N,
): Promise<RecordOf<N> | undefined> {
  const value = await readJson(recordPath(folder, name))
  return value === undefined ? undefined : (v.parse(schemas[name], value) as RecordOf<N>)
}

export async function writeRecord<N extends RecordName>(folder: JobFolder, name: N, value: RecordOf<N>): Promise<void> {
  await writeJson(recordPath(folder, name), value)
}

/** Creates the folder with its `job.json`. Both are durable when this returns. */
export async function createJobFolder(folder: JobFolder, record: JobRecord): Promise<void> {
  await mkdir(folder.path, { recursive: true, mode: 0o700 })
  await writeRecord(folder, 'job', record)
  await syncFolder(join(folder.path, '..'))
}

/** Keeps only the file that recognizes a late repeat of the attempt. */
export async function emptyJobFolder(folder: JobFolder): Promise<void> {
  for (const name of await readdir(folder.path)) {
    if (name !== names.job) await rm(join(folder.path, name), { recursive: true, force: true })
  }
}

export interface ListedJobs {
  readonly attempts: readonly { readonly folder: JobFolder; readonly record: JobRecord }[]
  /** The marks of the attempts whose `job.json` can't be read. Their processes may run. */
  readonly unreadable: readonly string[]
}

/** Returns all attempts in the folder, sorted by name. A folder without a `job.json` is deleted, because nothing was started. */
export async function listJobs(jobsFolder: string): Promise<ListedJobs> {
  const attempts: ListedJobs['attempts'][number][] = []
  const unreadable: string[] = []
  for (const name of (await readdir(jobsFolder)).sort()) {
    const path = join(jobsFolder, name)
    try {
      const record = await readRecord({ path }, 'job')
      if (record) attempts.push({ folder: folderAt(path, record.jobId, record.attempt), record })
      else await rm(path, { recursive: true, force: true })
    } catch {
      unreadable.push(name)
    }
  }
  return { attempts, unreadable }
}
