import { testOverAcp } from './acpTests.ts'
import { gemini } from './clis.ts'

testOverAcp(gemini)
