/** Definitions of workflows of random pieces: steps in sequence and in parallel, retries, conditions, outputs, other workflows and approvals. */
import type { Random } from '../random.ts'

export interface WorkflowShape {
  readonly steps: readonly Readonly<Record<string, unknown>>[]
  /** The indexes of the APPROVAL steps. */
  readonly approvals: readonly number[]
}

export interface ShapeOptions {
  readonly random: Random
  /** The shell command of a step. */
  script(step: string, isUnreliable: boolean): string
  /** A workflow that steps can start. */
  readonly innerId: string | undefined
  /** The other worktree on which it may be started. */
  readonly otherWorktreeId?: string | undefined
}

type StepInput = { readonly name: string } & Readonly<Record<string, unknown>>

/** The steps of a piece, and the name of the step that the next piece needs. */
interface Piece {
  readonly steps: readonly StepInput[]
  readonly last: string
}

interface PieceOptions extends ShapeOptions {
  /** Begins the names of its steps. */
  readonly prefix: string
  readonly needs: readonly string[]
}

type MakePiece = (options: PieceOptions) => Piece

/** The inputs of each workflow of the load. `start` is unique, so two runs of one start are recognized. */
export const workflowInputs = [
  { name: 'start', type: 'TEXT', required: true },
  { name: 'mode', type: 'CHOICE', choices: ['full', 'short'], required: true },
] as const

export const tokenOf = (step: string): string => `{{steps.${step}.token}}`

function command(
  { script, random }: PieceOptions,
  name: string,
  more: Readonly<Record<string, unknown>>,
  given: readonly string[] = [],
  isUnreliable = random.next() < 0.3,
): StepInput {
  const env = given.length === 0 ? [] : [{ name: 'GIVEN', value: given.map(tokenOf).join('+') }]
  return { name, ...more, action: { command: { script: script(name, isUnreliable), env } } }
}

const sequence: MakePiece = (options) => {
  const { prefix, needs } = options
  const [first, second] = [`${prefix}-first`, `${prefix}-second`]
  return {
    steps: [command(options, first, { needs }), command(options, second, { needs: [first] }, [first])],
    last: second,
  }
}

const parallel: MakePiece = (options) => {
  const { prefix, needs } = options
  const [left, right, join] = [`${prefix}-left`, `${prefix}-right`, `${prefix}-join`]
  return {
    steps: [
      command(options, left, { needs }),
      command(options, right, { needs }),
      command(options, join, { needs: [left, right] }, [left, right]),
    ],
    last: join,
  }
}

const retry: MakePiece = (options) => {
  const { prefix, needs } = options
  const [unreliable, repair] = [`${prefix}-unreliable`, `${prefix}-repair`]
  return {
    steps: [
      command(options, unreliable, { needs, retry: { maxAttempts: 3, delaySeconds: 1 } }, [], true),
      command(options, repair, { needs: [unreliable], condition: 'FAILED' }),
    ],
    last: unreliable,
  }
}

const choice: MakePiece = (options) => {
  const { prefix, needs } = options
  const [full, always] = [`${prefix}-full`, `${prefix}-always`]
  const onlyIf = { value: '{{inputs.mode}}', equals: 'full' }
  return {
    steps: [
      command(options, full, { needs, onlyIf }),
      command(options, always, { needs: [full], condition: 'ALWAYS' }),
    ],
    last: full,
  }
}

const approval: MakePiece = (options) => {
  const { prefix, needs } = options
  const [ask, after] = [`${prefix}-ask`, `${prefix}-after`]
  return {
    steps: [
      { name: ask, needs, action: { approval: { message: 'May {{inputs.start}} continue?' } } },
      command(options, after, { needs: [ask] }),
    ],
    last: after,
  }
}

/** The other worktree is always the same one, so that runs never wait for each other's slots in a circle. */
const inner: MakePiece = (options) => {
  const { prefix, needs, random, innerId: workflowId, otherWorktreeId } = options
  const [call, use] = [`${prefix}-call`, `${prefix}-use`]
  const inputs = ['start', 'mode'].map((name) => ({ name, value: `{{inputs.${name}}}` }))
  const worktreeId = random.next() < 0.5 ? otherWorktreeId : undefined
  const attempts = random.next() < 0.5 ? { retry: { maxAttempts: 2, delaySeconds: 1 } } : {}
  return {
    steps: [
      { name: call, needs, ...attempts, action: { workflow: { workflowId, inputs, worktreeId } } },
      command(options, use, { needs: [call] }, [call]),
    ],
    last: use,
  }
}

const pieces = { sequence, parallel, retry, choice, approval, inner } as const
export type PieceName = keyof typeof pieces
export const pieceNames = Object.keys(pieces) as readonly PieceName[]

/** One piece after the other. */
export function makeShape(names: readonly PieceName[], options: ShapeOptions): WorkflowShape {
  const steps: StepInput[] = []
  let needs: readonly string[] = []
  for (const [index, name] of names.entries()) {
    const piece = pieces[name]({ ...options, prefix: `${name}${index}`, needs })
    steps.push(...piece.steps)
    needs = [piece.last]
  }
  const approvals = steps.flatMap(({ name }, index) => (name.endsWith('-ask') ? [index] : []))
  return { steps, approvals }
}

/** A workflow that steps of others start. It has an output that they use. */
export function makeInnerShape(options: ShapeOptions) {
  const own = { ...options, prefix: 'inner', needs: [] }
  const { steps, last } = (options.random.next() < 0.5 ? sequence : parallel)(own)
  return { steps, approvals: [], outputs: [{ name: 'token', value: tokenOf(last) }] }
}
