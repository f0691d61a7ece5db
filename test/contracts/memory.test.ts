import { contracts } from './contracts.ts'
import { memoryDatabase } from './storages.ts'

for (const contract of contracts) contract('memory', () => memoryDatabase())
