/** SQL with named parameters, `:name`, numbered in the order of their first appearance. */
export interface Template {
  readonly text: string
  readonly names: readonly string[]
}

export function template(sql: string): Template {
  const names: string[] = []
  const text = sql.replace(/(?<![:\w]):([a-z]\w*)/g, (_, name: string) => {
    const known = names.indexOf(name)
    return `$${known === -1 ? names.push(name) : known + 1}`
  })
  return { text, names }
}
