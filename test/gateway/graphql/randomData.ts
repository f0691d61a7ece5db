/** Answers of resolvers made up by chance, most of them of the right type, and the same again for the same seed and place. */
import {
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  isAbstractType,
  isEnumType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql'
import { seeded } from '../../longRuns/bench/support/load.ts'

const texts = ['', 'plain', 'a "quote" and a \\', 'line\nend\u0001', 'é ☂ 😀', 'lone \ud800', '\u2028', '</script>']

export interface Faults {
  /** Of a thousand values: null where it may not be, an error thrown, a rejected promise, a value of a wrong type. */
  readonly inThousand: number
}

export class RandomData {
  readonly #schema: GraphQLSchema
  readonly #random: () => number
  readonly #faults: Faults

  constructor(schema: GraphQLSchema, seed: number, faults: Faults) {
    this.#schema = schema
    this.#random = seeded(seed)
    this.#faults = faults
  }

  #pick(count: number): number {
    return Math.floor(this.#random() * count)
  }

  #chance(inThousand: number): boolean {
    return this.#pick(1_000) < inThousand
  }

  /** The value that a resolver returns for a field of this type. */
  of(type: GraphQLOutputType, depth = 0): unknown {
    const value = this.#chance(this.#faults.inThousand) ? this.#fault() : this.#right(type, depth)
    if (!this.#chance(200)) return value
    return value instanceof Error ? rejected(value) : Promise.resolve(value)
  }

  #fault(): unknown {
    const faults = [
      null,
      undefined,
      new Error('made up'),
      { no: 'scalar' },
      'no object',
      2 ** 40,
      Number.NaN,
      () => 'called',
      [1],
    ]
    return faults[this.#pick(faults.length)]
  }

  #right(type: GraphQLOutputType, depth: number): unknown {
    if (isNonNullType(type)) return this.#present(type.ofType, depth)
    return this.#chance(150) ? (this.#chance(500) ? null : undefined) : this.#present(type, depth)
  }

  #present(type: GraphQLOutputType, depth: number): unknown {
    if (isNonNullType(type)) return this.#present(type.ofType, depth)
    if (isListType(type)) {
      const items = Array.from({ length: this.#pick(4) }, () => this.of(type.ofType, depth))
      return this.#chance(30) ? new Set(items) : items
    }
    if (isObjectType(type)) return this.#object(type, depth)
    if (isAbstractType(type)) {
      const possible = this.#schema.getPossibleTypes(type)
      return this.#object(possible[this.#pick(possible.length)] as GraphQLObjectType, depth)
    }
    if (isEnumType(type)) return type.getValues()[this.#pick(type.getValues().length)]?.value
    return this.#scalar(type.name)
  }

  /** Its fields are made when they are asked for, and then stay. */
  #object(type: GraphQLObjectType, depth: number): object {
    const made: Record<string, unknown> = { __typename: type.name }
    for (const field of Object.values(type.getFields())) {
      const seed = this.#pick(2 ** 31)
      let value: { readonly is: unknown } | undefined
      Object.defineProperty(made, field.name, {
        enumerable: true,
        get: () => {
          value ??= { is: new RandomData(this.#schema, seed, this.#faults).of(field.type, depth + 1) }
          return value.is
        },
      })
    }
    return made
  }

  #scalar(name: string): unknown {
    switch (name) {
      case 'Int':
        return [0, -0, 1, -7, 2 ** 31 - 1, '12', 3.0, true][this.#pick(8)]
      case 'Float':
        return [0, -0, 1.5, 1e300, -2e-7, '1.5'][this.#pick(6)]
      case 'Boolean':
        return [true, false, true, false, 1][this.#pick(5)]
      case 'JSON':
        return [{ a: [1, null, 'x'] }, [], 'text', 0, false, { toJSON: () => 'own' }, new Date(0)][this.#pick(7)]
      default:
        return this.#chance(50) ? this.#pick(100) : texts[this.#pick(texts.length)]
    }
  }
}

/** A promise that is handled, because a test may never await it. */
function rejected(error: Error): Promise<never> {
  const promise = Promise.reject(error)
  promise.catch(() => {})
  return promise
}
