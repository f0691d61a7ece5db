/** How SQL is written: a template whose values become parameters, or a text with `$1`. */

export type Parameter = string | number | bigint | boolean | Date | Uint8Array | null

export interface StatementOptions {
  /** Planned once for each session. */
  readonly prepare?: boolean
  /** Several statements in one text. They can't have parameters. */
  readonly simple?: boolean
}

/** The rows of an answer, and how many the statement returned or changed. */
export type Rows<R extends readonly object[]> = R & { readonly count: number }

// biome-ignore lint/suspicious/noExplicitAny: a caller that gives no type of the rows asserts nothing about them
type AnyRow = Record<string, any>

export interface Queries {
  /** Prepared. */
  <R extends readonly object[] = AnyRow[]>(
    text: TemplateStringsArray,
    ...values: readonly Parameter[]
  ): Promise<Rows<R>>
  unsafe<R extends readonly object[] = AnyRow[]>(
    text: string,
    values?: readonly Parameter[],
    options?: StatementOptions,
  ): Promise<Rows<R>>
}

const prepared: StatementOptions = Object.freeze({ prepare: true, simple: false })

export function statementOf(unsafe: Queries['unsafe']): Queries {
  const sql = (text: TemplateStringsArray, ...values: readonly Parameter[]) => unsafe(textOf(text), values, prepared)
  return Object.assign(sql, { unsafe }) as unknown as Queries
}

const texts = new WeakMap<TemplateStringsArray, string>()

function textOf(parts: TemplateStringsArray): string {
  let text = texts.get(parts)
  if (text === undefined) {
    text = parts.reduce((sum, part, index) => `${sum}$${index}${part}`)
    texts.set(parts, text)
  }
  return text
}
