/** The rules of every committed transition, by number. Each broken rule was a real failure once, or could become one. */
export const rules: Readonly<Record<number, string>> = Object.freeze({
  1: 'A step is written only where sequence and owner are the expected ones.',
  2: 'Only what passed the fence is written, told and carried out.',
  3: 'An uncertain commit is found out by reading, after the old session was ended.',
  4: 'Every answer, a refusal too, waits until the state that it was decided on is durable.',
  5: 'A step that lost is decided again on what is stored, in the order of arrival.',
  6: 'A statement that failed is taken apart until the row at fault fails alone; conflicts are repeated.',
  7: 'The rows of a batch are sorted, so that two processes never deadlock.',
  8: 'A deadline counts only while the snapshot holds it.',
  9: 'An actor is loaded once, and messages queue behind the load.',
  10: 'An effect is claimed by its process from birth, and deleted only after it is confirmed.',
  11: 'No text shifts a column or is lost on its way to the database.',
  12: 'What is delivered again takes effect once.',
  13: "A feed resumes by the actor's own sequence, or by transactions none of which is still under way.",
  14: 'Reads never hold up commits, and end in time.',
})
