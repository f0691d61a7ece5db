/** The search text of an actor, which its machine provides. It contains no secrets and nothing that redaction hides. */
export interface Searchable {
  /** The name of the actor for users: a name, a title, a branch. Only the first 200 characters count. */
  readonly title: string
  /** Other text by which a user may search for it: a path, a host, an address. Only the first 1,000 characters count. */
  readonly text: string
  /** The text and the values by which the list of the kind is filtered. The search over all kinds does not use them. */
  readonly list?: ListSearchable
}

export interface ListSearchable {
  /** Text by which the list finds the actor, in addition to the title and the text. Only the first 4,000 characters count. */
  readonly text: string
  /** Exact values by which the list is filtered, each with a name: `by`, `cli`. */
  readonly marks: Readonly<Record<string, string>>
}

/** A value that a list is filtered by exactly. */
export type ListMark = readonly [name: string, value: string]
