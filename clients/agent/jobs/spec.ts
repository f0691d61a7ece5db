import * as v from 'valibot'
import { environmentBytes, environmentBytesMax, variablesMax } from '../../../spec/work/environment.ts'
import { Refusal } from './refusal.ts'

/** The specification of each kind of job, as this agent accepts it. */

const path = v.pipe(v.string(), v.startsWith('/'), v.maxLength(4096), v.excludes('\0'))
const text = v.pipe(v.string(), v.excludes('\0'))
const steps = v.pipe(v.array(v.object({ name: text, command: text })), v.maxLength(1000))
const timeoutSeconds = v.pipe(v.number(), v.minValue(0.001), v.maxValue(30 * 86_400))
/** Not the variables that the agent sets, and none that decides which programs and libraries are used. */
const variable = v.pipe(
  v.string(),
  v.regex(/^(?!SIGNALBOX_|LD_|DYLD_|(?:PATH|HOME|PWD)$)[A-Z_][A-Z0-9_]*$/, 'it is not a variable that a job may set'),
)
const environment = v.pipe(
  v.record(variable, text),
  v.check((env) => Object.keys(env).length <= variablesMax, `it has more than ${variablesMax} variables`),
  v.check((env) => environmentBytes(env) <= environmentBytesMax, `it has more than ${environmentBytesMax} bytes`),
)

/** JSON writers often send null for absent values. */
const optional = <S extends v.GenericSchema>(schema: S) =>
  v.pipe(
    v.nullish(schema),
    v.transform((value) => value ?? undefined),
  )

export const CommandsSpec = v.object({
  worktreePath: path,
  steps: v.pipe(steps, v.minLength(1)),
  env: optional(environment),
  timeoutSeconds,
})
export type CommandsSpec = v.InferOutput<typeof CommandsSpec>

export const AiSpec = v.object({
  worktreePath: path,
  prompt: text,
  cli: optional(v.string()),
  /** Only a follow-up has it. `conversation` is the CLI's ID of the conversation. Null: the former turns reported none. */
  continues: optional(v.object({ conversation: v.nullable(v.string()), required: v.boolean() })),
  mode: v.picklist(['PLAN', 'SESSION']),
  model: optional(text),
  /** A mode of the CLI, by its ID or name. A PLAN run ignores it. */
  cliMode: optional(text),
  permissions: optional(
    v.object({
      policy: v.picklist(['ASK', 'ALLOW_EDITS', 'ALLOW_ALL', 'DENY']),
      rules: v.array(v.object({ kind: text, decision: v.picklist(['ASK', 'ALLOW', 'DENY']) })),
    }),
  ),
  timeoutSeconds,
})
export type AiSpec = v.InferOutput<typeof AiSpec>

/** Origins of the server. */
const serverUrls = v.object({
  kind: v.picklist(['LOCAL', 'REMOTE', 'PROXY']),
  local: text,
  remote: text,
  proxy: v.nullable(text),
})

export const BuildSpec = v.object({
  buildId: v.pipe(v.string(), v.regex(/^bld_[a-z0-9]{26}$/, 'it is not the ID of a build')),
  number: v.number(),
  /** The name of the configuration. */
  name: text,
  codebasePath: path,
  worktreePath: path,
  /** A branch, tag or commit. Absent: the commit of the worktree. */
  commit: optional(v.pipe(text, v.regex(/^(?!-)/, 'it begins with a hyphen'))),
  /** Absent: a commit, in a checkout of its own. */
  source: optional(v.literal('WORKTREE')),
  steps: v.pipe(steps, v.minLength(1)),
  env: environment,
  /** Programs that the machine must have. */
  tools: v.array(text),
  serverUrls,
  /** Patterns of the files that are kept. */
  artifacts: v.array(text),
  /** Only a COVERAGE build has them. */
  coverageReports: optional(
    v.pipe(v.array(v.object({ format: v.picklist(['LCOV', 'COBERTURA', 'XCCOV']), pattern: text })), v.minLength(1)),
  ),
  timeoutSeconds,
})
export type BuildSpec = v.InferOutput<typeof BuildSpec>

export const DeploySpec = v.object({
  deploymentId: v.pipe(v.string(), v.regex(/^dep_[a-z0-9]{26}$/, 'it is not the ID of a deployment')),
  number: v.number(),
  buildId: text,
  buildName: text,
  buildNumber: v.number(),
  commit: v.nullable(text),
  destination: v.object({
    kind: v.picklist(['HOST', 'ANDROID_DEVICE', 'IOS_SIMULATOR', 'IOS_DEVICE', 'COMMAND']),
    id: v.nullable(text),
    name: text,
    command: v.nullable(text),
  }),
  /** The name of the file that is installed. Null if there is none. */
  fileName: v.nullable(v.pipe(text, v.regex(/^(?!\.{1,2}$)[^/]+$/, 'it is not the name of a file'))),
  env: environment,
  serverUrls,
  timeoutSeconds,
})
export type DeploySpec = v.InferOutput<typeof DeploySpec>

export const CreateWorktreeSpec = v.object({
  codebasePath: path,
  worktreePath: optional(path),
  branch: text,
  base: optional(text),
  /** Commands that prepare the new worktree. They run in it one after the other. */
  prepare: optional(steps),
  timeoutSeconds: optional(timeoutSeconds),
})
export type CreateWorktreeSpec = v.InferOutput<typeof CreateWorktreeSpec>

export const RemoveWorktreeSpec = v.object({ codebasePath: path, worktreePath: path, force: v.boolean() })
export type RemoveWorktreeSpec = v.InferOutput<typeof RemoveWorktreeSpec>

/** A path below a worktree, with slashes. */
const pathBelow = v.pipe(
  text,
  v.maxLength(4096),
  v.check(
    (value) =>
      value !== '' && !value.split('/').some((name) => ['', '.', '..'].includes(name) || /^\.git$/i.test(name)),
    'it is not the path of a file in the worktree',
  ),
)

const commit = v.pipe(text, v.regex(/^[^-]/, 'it begins with a hyphen'))

export const DiffImageSpec = v.object({
  worktreePath: path,
  path: pathBelow,
  /** The path in the commit. */
  oldPath: pathBelow,
  base: commit,
  /** Null: the file in the worktree. */
  head: v.nullable(commit),
  /** Of one side. A larger file is not sent. */
  maxBytes: v.number(),
  uploadUrl: v.pipe(v.string(), v.url()),
})
export type DiffImageSpec = v.InferOutput<typeof DiffImageSpec>

/** Throws Refusal BAD_SPEC with the name of the field. */
export function readSpec<S extends v.GenericSchema>(schema: S, spec: unknown): v.InferOutput<S> {
  const parsed = v.safeParse(schema, spec)
  if (parsed.success) return parsed.output
  const issue = parsed.issues[0]
  throw new Refusal('BAD_SPEC', `The job’s ${v.getDotPath(issue) ?? 'specification'} is not right: ${issue.message}`)
}
