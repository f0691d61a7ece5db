/** A machine with something of everything that charts have. Nobody sees it: the engine is slow until it has drawn some. */
export const sample = {
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
    lamp: {
      initial: 'RED',
      states: { RED: { on: { show: { guard: 'isReserved', target: 'GREEN' } } }, GREEN: { on: { pass: 'RED' } } },
    },
  },
}
