/** The connection of an actor with an inspector. */
import { createStore } from '@xstate/store'
import type { Inspection } from './inspection.ts'

type InspectionContext =
  | { readonly status: 'stopped' | 'windowClosed' }
  | {
      readonly status: 'connecting' | 'connected'
      readonly inspection: Inspection
      /** The host of the inspector's page. */
      readonly host: string
    }

const initial: InspectionContext = { status: 'stopped' }

export function createInspectionStore() {
  return createStore({
    context: initial as InspectionContext,
    on: {
      started: (_, { inspection, host }: { inspection: Inspection; host: string }): InspectionContext => ({
        status: 'connecting',
        inspection,
        host,
      }),
      connected: (context): InspectionContext =>
        'inspection' in context ? { ...context, status: 'connected' } : context,
      windowClosed: (): InspectionContext => ({ status: 'windowClosed' }),
      stopped: (): InspectionContext => initial,
    },
  })
}
