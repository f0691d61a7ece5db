/** Machines that are never shown. The engine is slow until it has laid out some. */

/** Contains every feature of charts. */
export const featureChart = {
  id: 'block',
  type: 'parallel',
  states: {
    section: {
      initial: 'CLEAR',
      states: {
        CLEAR: { on: { request: 'RESERVED', fault: 'CLOSED', inspect: {} } },
        RESERVED: {
          on: { enter: 'OCCUPIED', request: 'RESERVED', release: 'CLEAR', fault: 'CLOSED', stop: 'HELD' },
          after: { 60000: 'CLEAR' },
        },
        OCCUPIED: {
          initial: 'MOVING',
          on: { leave: [{ guard: 'isWhole', target: 'CLEAR' }, 'HELD'], fault: 'CLOSED', stop: 'HELD' },
          states: {
            MOVING: { on: { halt: 'STANDING', report: {} } },
            STANDING: { on: { proceed: 'MOVING', unload: 'EMPTY' } },
            EMPTY: { type: 'final' },
          },
        },
        HELD: { on: { resume: 'OCCUPIED', clear: 'CLEAR', fault: 'CLOSED', handOver: 'HANDED_OVER' } },
        CLOSED: { on: { repaired: 'CLEAR', giveUp: 'ABANDONED' }, after: { 3600000: 'ABANDONED' } },
        HANDED_OVER: { type: 'final' },
        ABANDONED: { type: 'final' },
      },
    },
    signal: {
      initial: 'RED',
      states: { RED: { on: { show: { guard: 'isReserved', target: 'GREEN' } } }, GREEN: { on: { pass: 'RED' } } },
    },
  },
}

const states = 14
const after = (index: number) => `S${index % states}`

/** Enough lines that the engine uses its placement for large charts. */
export const largeChart = {
  id: 'yard',
  initial: 'S0',
  states: Object.fromEntries(
    Array.from({ length: states }, (_, index) => [
      after(index),
      { on: { next: after(index + 1), pass: after(index + 3), back: after(index + states - 3) } },
    ]),
  ),
}
