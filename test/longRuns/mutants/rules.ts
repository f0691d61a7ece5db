/** The rules of every committed transition, by number. A mutant breaks one of them, and a test must fail. */
export const rules: Readonly<Record<number, string>> = Object.freeze({
  1: 'A transition is written only if sequence and owner of the actor are the expected ones.',
  2: 'Only a transition that passed the fence is written, published and has its effects executed.',
  3: 'The outcome of an uncertain commit is read from the database, after its session was ended.',
  4: 'Each reply, refusals included, waits until the state on which it was decided is durable.',
  5: 'Messages whose transition lost the fence are decided again on the stored state, in the order of their arrival.',
  6: 'A batch that failed is divided until only the invalid row fails. Conflicts with other transactions are repeated.',
  7: 'The rows of a batch are sorted, so that two processes never deadlock.',
  8: 'A timer fires only while the snapshot contains it.',
  9: 'An actor is loaded once, and its messages wait in the queue for the load.',
  10: 'An effect is created with a claim of its process, and deleted only after its delivery is confirmed.',
  11: 'No text moves a value into another column or is lost on its way to the database.',
  12: 'A message that is delivered twice takes effect once.',
  13: "A subscription resumes by the actor's sequence, or by transactions that have all ended.",
  14: 'Reads do not block commits, and each ends within its time limit.',
})
