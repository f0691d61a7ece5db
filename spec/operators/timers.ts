/** The most timers of one actor at a time: a chart has an `after` in few of its states. */
export const timersMax = 10
