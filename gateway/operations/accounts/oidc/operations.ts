/** The routes of the sign-in at a provider, in a browser and in an app. */
import { browserFlowOperations } from './browserFlow.ts'
import { callbackOperations } from './callback.ts'
import { nativeFlowOperations } from './nativeFlow.ts'

export const oidcOperations = Object.freeze([...browserFlowOperations, ...callbackOperations, ...nativeFlowOperations])
