/** The routes of signing in at a provider, with a browser and with an app. */
import { browserFlowOperations } from './browserFlow.ts'
import { callbackOperations } from './callback.ts'
import { nativeFlowOperations } from './nativeFlow.ts'

export const oidcOperations = Object.freeze([...browserFlowOperations, ...callbackOperations, ...nativeFlowOperations])
