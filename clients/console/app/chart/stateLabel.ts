/** The labels of states in charts, in the language of the page. */
import { createStateLabels } from '../../labels/stateLabels.ts'
import { messages } from '../messages.ts'

export const getStateLabel = createStateLabels(messages)
