/** The data of the program under test that its answers contained: IDs of actors, cursors, one-time tokens, paths. */
import { type ActorKind, actorKinds, idPrefixes, kindOfId } from '../../../spec/core/ids.ts'
import type { Random } from '../soak/random.ts'
import { Outsiders } from './callers/outsiders.ts'

const kept = 300
const idForm = new RegExp(`\\b(?:${actorKinds.map((kind) => idPrefixes[kind]).join('|')})_[0-7][0-9a-z]{25}\\b`, 'g')
/** Cursors are the Base64 of a text with this prefix. */
const cursorForm = /"(YzE6[A-Za-z0-9+/]{2,200}={0,2})"/g
const mostLearned = 50

/** A question of a run's AI. */
export interface Question {
  readonly runId: string
  readonly jobId: string
  readonly attempt: number
  readonly questionId: string
  answered: boolean
}

export class Pools {
  readonly #ids = new Map<ActorKind, string[]>()
  /** Actors that no request ends, so that there are always some to work with. */
  readonly #pinned = new Map<ActorKind, string[]>()
  /** Actors whose end would end the fuzzer's run. No request that changes state gets them. */
  readonly #guarded = new Set<string>()
  readonly #cursors: string[] = []
  readonly enrollmentTokens: string[] = []
  readonly paths: string[] = []
  readonly questions: Question[] = []
  readonly outsiders = new Outsiders()

  guard(id: string): void {
    this.#guarded.add(id)
  }

  pin(id: string): void {
    const kind = kindOfId(id)
    if (kind !== undefined) push(listOf(this.#pinned, kind), id)
  }

  unpin(id: string): void {
    for (const list of this.#pinned.values()) {
      const index = list.indexOf(id)
      if (index >= 0) list.splice(index, 1)
    }
  }

  learn(text: string): void {
    let learned = 0
    for (const [id] of text.matchAll(idForm)) {
      const kind = kindOfId(id)
      if (kind !== undefined) push(listOf(this.#ids, kind), id)
      if (++learned > mostLearned) break
    }
    learned = 0
    for (const [, cursor = ''] of text.matchAll(cursorForm)) {
      push(this.#cursors, cursor)
      if (++learned > 5) break
    }
  }

  /** @param changes whether the request may end the actors that it names */
  id(kinds: readonly ActorKind[], random: Random, changes: boolean): string {
    const kind = random.pick(kinds.length > 0 ? kinds : actorKinds)
    if (random.chance(0.03)) return `${idPrefixes[kind]}_01hzzzzzzzzzzzzzzzzzzzzzzz`
    const pinned = listOf(this.#pinned, kind)
    const known = listOf(this.#ids, kind)
    const from = pinned.length > 0 && random.chance(0.6) ? pinned : known.length > 0 ? known : pinned
    for (let tries = 0; tries < 10 && from.length > 0; tries++) {
      const id = random.pick(from)
      if (!changes || !this.#guarded.has(id)) return id
    }
    return `${idPrefixes[kind]}_01hzzzzzzzzzzzzzzzzzzzzzzz`
  }

  ask(question: Question): void {
    this.questions.push(question)
    if (this.questions.length > 50) this.questions.shift()
  }

  cursor(random: Random): string | undefined {
    return this.#cursors.length === 0 ? undefined : random.pick(this.#cursors)
  }

  size(kind: ActorKind): number {
    return listOf(this.#ids, kind).length
  }
}

function listOf(lists: Map<ActorKind, string[]>, kind: ActorKind): string[] {
  const known = lists.get(kind)
  if (known) return known
  const list: string[] = []
  lists.set(kind, list)
  return list
}

/** Keeps the newest entries, without duplicates among the last few. */
function push(list: string[], one: string): void {
  if (list.includes(one)) return
  list.push(one)
  if (list.length > kept) list.shift()
}
