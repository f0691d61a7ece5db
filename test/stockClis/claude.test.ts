import { testOverAcp } from './acpTests.ts'
import { claude } from './clis.ts'

testOverAcp(claude)
