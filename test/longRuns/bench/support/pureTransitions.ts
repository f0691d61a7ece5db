/** The speed of XState's own `transition()` and of the runtime's use of it, on one core of this machine, without other work. */
import { initialTransition, transition } from 'xstate'
import { compile } from '../../../../actors/decide/logic.ts'
import { ring } from './ring.ts'

const input = { id: 'run_0', init: {}, at: 0 }
const between = 500

export function xstateAlone(forMs: number): number {
  let [snapshot] = initialTransition(ring.machine, input)
  return perSecond(forMs, (at) => {
    snapshot = transition(ring.machine, snapshot, { type: 'step', at })[0]
  })
}

export function logicAlone(forMs: number): number {
  const logic = compile(ring)
  let [state] = logic.first(input)
  return perSecond(forMs, (at) => {
    const event = { type: 'step', at }
    if (logic.accepts(state, event)) state = logic.next(state, event)[0]
  })
}

function perSecond(forMs: number, step: (at: number) => void): number {
  const begun = performance.now()
  let steps = 0
  while (performance.now() - begun < forMs) for (let more = 0; more < between; more++) step(steps++)
  return (steps / (performance.now() - begun)) * 1_000
}
