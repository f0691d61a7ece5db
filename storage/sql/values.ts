/** Collects the parameters of a statement whose text depends on the query. */
export class Values {
  readonly list: (string | number | boolean)[] = []

  /** Adds a parameter and returns its place in the text. */
  place(value: string | number | boolean, type: string): string {
    return `$${this.list.push(value)}::${type}`
  }
}
