/** A machine with every way to name a target, with states in states, and with what only few machines have. */
export const nested = {
  id: 'door',
  initial: 'closed',
  on: { reset: '.closed', ping: { actions: 'log' } },
  states: {
    closed: {
      initial: 'locked',
      meta: { label: 'Closed & safe' },
      on: { open: '#door.opened.ajar', relock: '.locked' },
      onDone: 'gone',
      states: {
        locked: { on: { unlock: { target: 'unlocked', guard: { type: 'keyFits' } } } },
        unlocked: {
          id: 'free',
          after: { idle: 'locked', 90000: { target: 'locked', guard: { function: 'isNight' } } },
          on: { knock: { target: 'unlocked', reenter: true }, demolish: 'rubble' },
        },
        rubble: { type: 'final' },
      },
    },
    opened: {
      initial: 'ajar',
      on: { close: [{ guard: 'hasKey', target: 'closed' }, 'closed.unlocked'], slam: { target: '#free' } },
      states: {
        ajar: { always: { guard: 'wind', target: 'wide' }, on: { push: 'wide', '*': { actions: 'creak' } } },
        wide: { on: { pull: 'ajar' } },
      },
    },
    gone: { tags: 'terminal' },
  },
}
