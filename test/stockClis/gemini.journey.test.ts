import { gemini } from './clis.ts'
import { testJourney } from './journey.ts'

testJourney(gemini)
