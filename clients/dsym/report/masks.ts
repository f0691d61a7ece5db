/** Removes secrets from everything that is printed. */

/** A shorter part of a value would be found everywhere in a text. */
const shortestPart = 8

export class Masks {
  /** The longest first: a secret may contain another one. */
  readonly secrets: readonly string[]

  /** @param values the API key and the values of extra headers. Their parts are secrets too, such as the token after `Bearer` */
  constructor(values: readonly string[]) {
    const parts = values.flatMap((value) => value.split(/[\s;,=]+/).filter(({ length }) => length >= shortestPart))
    const all = [...values, ...parts].filter((value) => value.trim() !== '')
    this.secrets = [...new Set(all)].sort((a, b) => b.length - a.length)
  }

  apply(text: string): string {
    return this.secrets.reduce((masked, secret) => masked.replaceAll(secret, '***'), text)
  }
}
