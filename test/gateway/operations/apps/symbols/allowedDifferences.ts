/** Each difference between a look-up and llvm-symbolizer 19 that is intended. A test finds any other one. */
import { Demangler } from '../../../../../gateway/operations/apps/symbols/demangler.ts'
import type { LlvmFrame } from './symbolFixtures.ts'

export interface AllowedDifference {
  readonly reason: string
  /** Whether it also applies to raw names. */
  readonly isForRaw: boolean
  /** The frames that llvm-symbolizer would have without the difference. */
  adapt(frames: readonly LlvmFrame[]): readonly LlvmFrame[]
}

/**
 * One more difference, which only a dSYM has whose symbols were removed in part: llvm-symbolizer gives a function the name of the symbol
 * before it, though DWARF has a name. A look-up uses a symbol's name only for a function that starts at the symbol.
 */
export const namesOfRemovedSymbols = { byLlvm: 'multiply', byLookUp: 'add' }

const demangler = new Demangler()

export const allowedDifferences: readonly AllowedDifference[] = Object.freeze([
  {
    reason: 'llvm-symbolizer has a frame without a name and a place if it finds nothing. A look-up has no frame.',
    isForRaw: true,
    adapt: (frames) => (frames.every(({ FunctionName, FileName }) => FunctionName + FileName === '') ? [] : frames),
  },
  {
    reason: 'llvm-symbolizer has no demangler for Swift.',
    isForRaw: false,
    adapt: (frames) =>
      frames.map((frame) =>
        /^_?\$s/.test(frame.FunctionName)
          ? { ...frame, FunctionName: demangler.demangleText(frame.FunctionName) }
          : frame,
      ),
  },
  {
    reason:
      "The offset in an inlined call has no meaning, and Apple's reports have none: only the last frame has a start.",
    isForRaw: true,
    adapt: (frames) =>
      frames.map((frame, index) => (index < frames.length - 1 ? { ...frame, StartAddress: '' } : frame)),
  },
])
