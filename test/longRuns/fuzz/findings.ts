/** The violations, each kind of them once for each operation, with a request that shows it. */
export interface Finding {
  readonly operation: string
  readonly what: string
  /** The way to reproduce it. */
  readonly evidence: string
}

export class Findings {
  readonly #found = new Map<string, { readonly finding: Finding; times: number }>()

  add(finding: Finding): void {
    // Other numbers and IDs are not another finding.
    const kind = finding.what.replace(/[a-z]{2,8}_[0-9a-z]{26}|\d+|fz-\S+/g, '#').slice(0, 160)
    const key = `${finding.operation} ${kind}`
    const known = this.#found.get(key)
    if (known) known.times++
    else this.#found.set(key, { finding, times: 1 })
  }

  get all(): readonly (Finding & { readonly times: number })[] {
    return [...this.#found.values()].map(({ finding, times }) => ({ ...finding, times }))
  }

  get some(): boolean {
    return this.#found.size > 0
  }
}
