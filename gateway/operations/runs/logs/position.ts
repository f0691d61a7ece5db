import { Failure } from '../../../../spec/core/failure.ts'
import { freshOutput, type OutputState } from './decode.ts'
import { type EscapeState, escapeStates } from './strip.ts'

export const outputs = ['STDOUT', 'STDERR', 'SYSTEM'] as const
export type Output = (typeof outputs)[number]

export type OutputStates = Readonly<Record<Output, OutputState>>

export interface LogPosition {
  readonly attempt: number
  /** The sequence of the entry that is read next. `offset` is its first byte to read. */
  readonly sequence: number
  readonly offset: number
  readonly states: OutputStates
}

export const freshStates: OutputStates = { STDOUT: freshOutput, STDERR: freshOutput, SYSTEM: freshOutput }

export function outputOf(kind: string): Output {
  return kind === 'STDOUT' || kind === 'STDERR' ? kind : 'SYSTEM'
}

export function logCursor({ attempt, sequence, offset, states }: LogPosition): string {
  const each = outputs.map((output) => {
    const { pending, escape: within } = states[output]
    return `${escapeStates.indexOf(within)}${hex(pending)}`
  })
  return ['l1', attempt, sequence, offset, ...each].join('.')
}

const form =
  /^l1\.(\d{1,7})\.(\d{1,12})\.(\d{1,8})\.([0-4])([0-9a-f]{0,6})\.([0-4])([0-9a-f]{0,6})\.([0-4])([0-9a-f]{0,6})$/

/** @throws Failure BAD_USER_INPUT */
export function logPosition(cursor: string): LogPosition {
  const [, attempt, sequence, offset, ...each] = form.exec(cursor) ?? []
  if (attempt === undefined) {
    throw new Failure('BAD_USER_INPUT', 'after is not a cursor of this log. Give the endCursor of a previous answer.', {
      details: { field: 'after' },
    })
  }
  const [stdout, stderr, system] = [0, 2, 4].map((at) => stateOf(each[at] ?? '0', each[at + 1] ?? ''))
  return {
    attempt: Number(attempt),
    sequence: Number(sequence),
    offset: Number(offset),
    states: { STDOUT: stdout ?? freshOutput, STDERR: stderr ?? freshOutput, SYSTEM: system ?? freshOutput },
  }
}

const stateOf = (within: string, pending: string): OutputState => ({
  escape: escapeStates[Number(within)] as EscapeState,
  pending: Uint8Array.from(pending.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16)),
})

const hex = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
