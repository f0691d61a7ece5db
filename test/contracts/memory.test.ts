import { contracts } from './contracts.ts'
import { memoryWorld } from './world.ts'

for (const contract of contracts) contract('memory', () => memoryWorld())
