import { contracts } from './contracts.ts'
import { memoryWorld } from './storages.ts'

for (const contract of contracts) contract('memory', () => memoryWorld())
