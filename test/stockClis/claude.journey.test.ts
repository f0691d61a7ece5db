import { claude } from './clis.ts'
import { testJourney } from './journey.ts'

testJourney(claude)
