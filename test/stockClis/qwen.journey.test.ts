import { qwen } from './clis.ts'
import { testJourney } from './journey.ts'

testJourney(qwen)
