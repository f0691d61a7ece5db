/**
 * An agent's operations on its jobs. Each mutation names the connection (`epoch`) and the attempt, and both must be the current ones.
 * `agentJobOffered` names the connection alone.
 */
import * as v from 'valibot'
import { signingAssetKind } from '../builds/signing/signingAssets.ts'
import { signingAssetsMax } from '../builds/signing/signingEnums.ts'
import { mutation, subscription } from '../core/operation.ts'
import { atMost, id, idOf, int, json, named, text, words } from '../core/types.ts'
import { attachmentsMax } from '../runs/attachmentLimit.ts'
import { runAnswerSchema } from '../runs/conversation.ts'
import { runSkillsMax } from '../work/skills/runSkills.ts'
import { attempt, epoch } from './agentSession.ts'

export const jobKind = named(
  'JobKind',
  'The kind of a job.',
  v.picklist(['COMMANDS', 'AI', 'BUILD', 'DEPLOY', 'CREATE_WORKTREE', 'REMOVE_WORKTREE', 'DIFF_IMAGE']),
)

const jobOutcome = named(
  'JobOutcome',
  'The outcome of a job on its machine.',
  v.picklist(['SUCCEEDED', 'FAILED', 'CANCELED', 'TIMED_OUT']),
)

/** The fields with which each message of an agent about a job is compared with the current connection and attempt. */
export const jobAttempt = { epoch, jobId: idOf('job'), attempt }
const sha256Form = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/, 'must be a SHA-256, hexadecimal'))

export const jobReceipt = named(
  'JobReceipt',
  'The current state of a job.',
  v.object({ jobId: id, attempt: int, status: v.string() }),
)

/** Turns, and characters of their requests and answers, that a follow-up is given. */
export const formerTurnsMax = 50
export const formerTurnsCharacters = 256 * 1024

export const formerTurns = named(
  'FormerTurns',
  `The turns of a plan or session before a run, oldest first. If they are more than ${formerTurnsMax}, or longer than ${formerTurnsCharacters / 1024} Ki characters, the oldest are left out.`,
  v.object({
    turns: atMost(
      formerTurnsMax,
      named(
        'FormerTurn',
        'A former turn of a plan or session.',
        v.object({
          prompt: v.pipe(v.string(), v.description('The request of the person.')),
          answer: v.pipe(v.nullable(v.string()), v.description('The end of the coding CLI’s last message.')),
        }),
      ),
    ),
    omitted: v.pipe(int, v.description('The number of turns that are left out.')),
  }),
)

const agentAttachment = named(
  'AgentAttachment',
  'A file for the coding CLI of a run.',
  v.object({
    name: v.string(),
    contentType: v.string(),
    size: int,
    sha256: v.string(),
    url: v.pipe(v.string(), v.description('The address of the bytes, for the token of the run.')),
  }),
)

const agentSkill = named(
  'AgentSkill',
  'A version of a skill for the coding CLI of a run.',
  v.object({
    skillId: id,
    name: v.string(),
    version: int,
    sha256: v.pipe(v.string(), v.description('The SHA-256 of the bytes, hexadecimal.')),
    archiveSize: v.pipe(int, v.description('The number of bytes.')),
    url: v.pipe(v.string(), v.description('The address of the bytes, for the token of the run.')),
  }),
)

const agentFile = named(
  'AgentFile',
  'The file that a deployment installs.',
  v.object({
    name: v.string(),
    /** GraphQL's Int ends at 2 GiB. */
    size: v.pipe(v.number(), v.metadata({ scalar: 'Float' } as const), v.description('Bytes.')),
    sha256: v.string(),
    url: v.pipe(v.string(), v.description('The address of the transfer.')),
  }),
)

export const agentSigningAsset = named(
  'AgentSigningAsset',
  'A file with which a build is signed, and its passwords. The agent removes it after the build.',
  v.object({
    signingAssetId: id,
    name: v.string(),
    variable: v.pipe(v.string(), v.description('The part of the names of its variables that names it.')),
    kind: signingAssetKind,
    fileName: v.string(),
    dataBase64: v.string(),
    password: v.nullable(v.string()),
    keyAlias: v.nullable(v.string()),
    keyPassword: v.nullable(v.string()),
    keyId: v.nullable(v.string()),
    issuerId: v.nullable(v.string()),
    profileUuid: v.nullable(v.string()),
  }),
)

export const acceptJob = mutation({
  name: 'acceptJob',
  description:
    'Accepts an offered job. A repeat for the same attempt returns a new token and invalidates the previous one.',
  access: 'agents',
  input: v.object({
    ...jobAttempt,
    takesSigningAssets: v.pipe(
      v.nullish(v.boolean()),
      v.description(
        'Whether the agent writes signing assets for a build and removes them. Without it, a build that has some ends as FAILED with `AGENT_TOO_OLD`.',
      ),
    ),
    buildsWorktrees: v.pipe(
      v.nullish(v.boolean()),
      v.description(
        'Whether the agent builds the files of a worktree. Without it, a build with `source: WORKTREE` ends as FAILED with `AGENT_TOO_OLD`.',
      ),
    ),
  }),
  output: named(
    'AcceptJobPayload',
    'The job to execute, and the token of the run if the job belongs to a run.',
    v.object({
      job: named(
        'AgentJob',
        'A job with its instructions for the agent.',
        v.object({ id, attempt: int, kind: jobKind, runId: v.nullable(id), spec: json }),
      ),
      runToken: v.nullable(v.string()),
      mcpUrl: v.pipe(
        v.nullable(v.string()),
        v.description(
          'The address of the run’s tools. Null if the job does not belong to a run, or the run has no tools.',
        ),
      ),
      attachments: v.pipe(atMost(attachmentsMax, agentAttachment), v.description('The files that the run got.')),
      skills: v.pipe(atMost(runSkillsMax, agentSkill), v.description('The skills that the run got.')),
      signingAssets: v.pipe(
        atMost(signingAssetsMax, agentSigningAsset),
        v.description(
          'The files with which a build is signed. They are stored nowhere but in the memory of the agent and its folder of the build.',
        ),
      ),
      file: v.pipe(v.nullable(agentFile), v.description('The file that a deployment installs.')),
      former: v.pipe(
        v.nullable(formerTurns),
        v.description('The former turns of a follow-up, for a coding CLI that cannot continue its conversation.'),
      ),
    }),
  ),
})

export const refuseJob = mutation({
  name: 'refuseJob',
  description: 'Refuses an offered job that cannot be executed on this machine. The job ends as FAILED.',
  access: 'agents',
  input: v.object({ ...jobAttempt, code: text({ min: 1, max: 64 }), message: words(500) }),
  output: jobReceipt,
})

export const reportJobWaiting = mutation({
  name: 'reportJobWaiting',
  description: 'Reports that the coding CLI of the job asks for permission or input.',
  access: 'agents',
  input: v.object({ ...jobAttempt, question: json, questionId: text({ min: 1, max: 100 }) }),
  output: jobReceipt,
})

export const reportJobResumed = mutation({
  name: 'reportJobResumed',
  description: 'Reports that the job continues after an answer.',
  access: 'agents',
  input: v.object({ ...jobAttempt, questionId: text({ min: 1, max: 100 }) }),
  output: jobReceipt,
})

export const reportJobPaused = mutation({
  name: 'reportJobPaused',
  description: 'Reports that the processes of the job are stopped, or that they continue.',
  access: 'agents',
  input: v.object({ ...jobAttempt, isPaused: v.boolean() }),
  output: jobReceipt,
})

export const completeJob = mutation({
  name: 'completeJob',
  description:
    'Reports the end of a job after its whole log is stored. A repeat for the same attempt returns the same answer.',
  access: 'agents',
  input: v.object({
    ...jobAttempt,
    outcome: jobOutcome,
    exitCode: v.nullish(int),
    signal: v.nullish(text({ max: 20 })),
    errorCode: v.nullish(text({ max: 64 })),
    errorMessage: v.nullish(words(500)),
    processesLeft: v.pipe(int, v.minValue(0)),
    logChunks: v.pipe(int, v.minValue(0)),
    logSha256: sha256Form,
    result: v.pipe(
      v.nullish(json),
      v.description('The result, in the form of the kind of the job. A DIFF_IMAGE that SUCCEEDED must have one.'),
    ),
  }),
  output: jobReceipt,
})

const offer = named(
  'AgentJobOffer',
  'An instruction for the agent about a job.',
  v.object({
    signal: named(
      'JobSignal',
      'OFFER: accept the job. CANCEL: stop the job and report its end. ANSWER: pass the answer to the coding CLI. PAUSE, RESUME: stop the processes of the job, or let them continue, and report it. STOP: kill the job and discard it.',
      v.picklist(['OFFER', 'CANCEL', 'ANSWER', 'PAUSE', 'RESUME', 'STOP']),
    ),
    jobId: id,
    attempt: int,
    kind: jobKind,
    deadline: v.pipe(v.nullable(v.string()), v.description('The time until which an OFFER can be accepted.')),
    graceSeconds: v.nullable(int),
    answerId: v.nullable(v.string()),
    answer: v.nullable(runAnswerSchema),
  }),
)

export const agentJobOffered = subscription({
  name: 'agentJobOffered',
  description: 'Sends the instructions for this agent about its jobs: first the pending ones, and then new ones.',
  access: 'agents',
  input: v.object({ epoch }),
  output: offer,
})
