import type { Mutant } from './mutant.ts'
export const mutants: readonly Mutant[] = [
{ name: 'x', fault: 'x', file: 'actors/decide.ts', search: "message.expectedSequence !== live.seq", replace: 'false', tests: [{file: 'test/actors/system.test.ts'}] }
]
