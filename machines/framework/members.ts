/**
 * An actor's collection of values that may grow without bound (the waiting entries of a queue, the live jobs of an agent). The machine
 * changes it like any value. The runtime finds the changes by comparing the trees, which share their unchanged parts, and writes those rows
 * in the commit of the transition. A lookup or a change costs O(log n).
 */
import btree from 'sorted-btree'
import diff from 'sorted-btree/extended/diffAgainst.js'
import type { Json } from '../../spec/core/actor.ts'

// The package is CommonJS: its default exports are properties.
const BTree = btree.default
const diffAgainst = diff.default
type Tree = InstanceType<typeof BTree<string, Json>>

const byCodeUnit = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

export interface MemberChange {
  readonly key: string
  /** `undefined` if the member was removed. */
  readonly value: Json | undefined
}

export class Members {
  readonly #tree: Tree

  private constructor(tree: Tree) {
    this.#tree = tree
  }

  static readonly empty = new Members(new BTree<string, Json>(undefined, byCodeUnit))

  static from(entries: readonly (readonly [string, Json])[]): Members {
    return entries.length === 0
      ? Members.empty
      : new Members(new BTree<string, Json>(entries as [string, Json][], byCodeUnit))
  }

  get size(): number {
    return this.#tree.size
  }

  get(key: string): Json | undefined {
    return this.#tree.get(key)
  }

  has(key: string): boolean {
    return this.#tree.has(key)
  }

  with(key: string, value: Json): Members {
    const tree = this.#tree.clone()
    tree.set(key, value)
    return new Members(tree)
  }

  without(key: string): Members {
    if (!this.#tree.has(key)) return this
    const tree = this.#tree.clone()
    tree.delete(key)
    return new Members(tree)
  }

  withAll(entries: readonly (readonly [string, Json])[]): Members {
    if (entries.length === 0) return this
    const tree = this.#tree.clone()
    for (const [key, value] of entries) tree.set(key, value)
    return new Members(tree)
  }

  withoutAll(keys: readonly string[]): Members {
    if (keys.length === 0) return this
    const tree = this.#tree.clone()
    for (const key of keys) tree.delete(key)
    return new Members(tree)
  }

  /** The first member whose key begins with `prefix` and, if `after` is given, is greater than `after`. */
  first(prefix: string, after = ''): readonly [string, Json] | undefined {
    const from = after > prefix ? after : prefix
    let pair =
      this.#tree.has(from) && from !== after
        ? ([from, this.#tree.get(from)] as [string, Json])
        : this.#tree.nextHigherPair(from)
    if (pair && !pair[0].startsWith(prefix)) pair = undefined
    return pair
  }

  /** Members whose key begins with `prefix`, in key order. */
  *range(prefix: string): IterableIterator<readonly [string, Json]> {
    for (const pair of this.#tree.entries(prefix)) {
      if (!pair[0].startsWith(prefix)) return
      yield pair
    }
  }

  entries(): IterableIterator<readonly [string, Json]> {
    return this.#tree.entries()
  }

  /** The changes that turn `before` into this collection. */
  changesSince(before: Members): readonly MemberChange[] {
    if (before === this) return []
    const changes: MemberChange[] = []
    diffAgainst(
      before.#tree,
      this.#tree,
      (key) => void changes.push({ key, value: undefined }),
      (key, value) => void changes.push({ key, value }),
      (key, _old, value) => void changes.push({ key, value }),
    )
    return changes
  }

  toJSON(): string {
    return `${this.size} members`
  }
}
