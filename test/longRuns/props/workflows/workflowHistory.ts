/** A random history: worktrees, workflows, and what people, agents and the gateway do. fast-check makes and shrinks it. */
import fc from 'fast-check'

export const policies = ['ALLOW_ALL', 'BUFFER_ALL', 'BUFFER_ONE', 'SKIP', 'CANCEL_OTHER', 'TERMINATE_OTHER'] as const

const choices = {
  /** A message arrives. */
  deliver: 16,
  /** The program of an agent reports something about one of its jobs. */
  agent: 10,
  /** The gateway goes one step on with a requested operation. */
  gateway: 6,
  /** A person starts a workflow. */
  start: 2,
  /** A person starts a session or a plan. */
  aiRun: 1,
  cancel: 2,
  pause: 1,
  /** A connection, a drain, or a pause of a queue. */
  steer: 2,
  decide: 1,
  trigger: 1,
  /** The time passes until the next timer is due. */
  timer: 2,
} as const

const action = fc.record({
  what: fc.oneof(
    ...Object.entries(choices).map(([what, weight]) => ({
      weight,
      arbitrary: fc.constant(what as keyof typeof choices),
    })),
  ),
  pick: fc.nat(100_000),
})

const drawnStep = fc.record({
  kind: fc.constantFrom('COMMAND', 'COMMAND', 'AI', 'WORKFLOW', 'BUILD', 'APPROVAL'),
  /** The bits choose the earlier steps that it needs. */
  needs: fc.nat(7),
  condition: fc.constantFrom('SUCCEEDED', 'SUCCEEDED', 'FAILED', 'ALWAYS'),
  onlyIf: fc.constantFrom(null, null, null, 'equals', 'differsFrom'),
  /** Whether its text has an output of a step that it needs. */
  refers: fc.boolean(),
  maxAttempts: fc.integer({ min: 1, max: 3 }),
  delaySeconds: fc.constantFrom(1, 20),
  timeoutSeconds: fc.constantFrom(null, 5, 30, 200),
  deadlineSeconds: fc.constantFrom(null, 10),
  /** The worktree: its own or one of all. */
  worktree: fc.constantFrom(null, null, 0, 1, 2),
  workflow: fc.nat(2),
})

const drawnWorkflow = fc.record({
  steps: fc.array(drawnStep, { minLength: 1, maxLength: 4 }),
  overlapPolicy: fc.constantFrom(...policies),
  overlapScope: fc.constantFrom('WORKTREE', 'GLOBAL'),
  exclusiveWorktree: fc.constantFrom(false, false, true),
  worktreeConcurrencyLimit: fc.nat(2),
  timeoutSeconds: fc.constantFrom(20, 100, 1_000),
})

export const history = fc.record({
  agents: fc.integer({ min: 1, max: 2 }),
  worktrees: fc.integer({ min: 1, max: 3 }),
  workflows: fc.array(drawnWorkflow, { minLength: 1, maxLength: 3 }),
  /** Whether agents can be revoked. */
  revokes: fc.constantFrom(false, false, false, true),
  /** The order of the messages after the last action. */
  order: fc.nat(1_000_000),
  actions: fc.array(action, { minLength: 20, maxLength: 200, size: 'max' }),
})

export type DrawnStep = typeof drawnStep extends fc.Arbitrary<infer T> ? T : never
export type DrawnWorkflow = typeof drawnWorkflow extends fc.Arbitrary<infer T> ? T : never
export type History = typeof history extends fc.Arbitrary<infer T> ? T : never
export type Action = History['actions'][number]
