import { homedir } from 'node:os'
import { childEnvironment } from '../system/environment.ts'

/** The part of the machine that a coding CLI sees. */
export interface Surroundings {
  readonly env: Readonly<Record<string, string>>
  readonly home: string
  readonly platform: NodeJS.Platform
}

export function readSurroundings(): Surroundings {
  return { env: childEnvironment(process.env), home: homedir(), platform: process.platform }
}
