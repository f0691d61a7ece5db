import { testOverAcp } from './acpTests.ts'
import { qwen } from './clis.ts'

testOverAcp(qwen)
