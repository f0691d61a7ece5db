import * as v from 'valibot'
import type { Schema, TypeMetadata } from './types.ts'

type Choices = Readonly<Record<string, Schema>>

/** Exactly one of the choices, under its name. */
export type OneOf<C extends Choices> = {
  [Name in keyof C]: { readonly [N in Name]: v.InferOutput<C[N]> } & {
    readonly [Other in Exclude<keyof C, Name>]?: undefined
  }
}[keyof C]

/** An input in which the caller gives exactly one of several fields. GraphQL calls it `@oneOf`. */
export function oneOf<const C extends Choices>(typeName: string, description: string, choices: C) {
  const names = Object.keys(choices)
  const entries = Object.fromEntries(names.map((name) => [name, v.optional(choices[name] as Schema)])) as {
    [Name in keyof C]: v.OptionalSchema<C[Name], undefined>
  }
  return v.pipe(
    v.object(entries),
    v.check(
      (given) => Object.values(given).filter((value) => value !== undefined).length === 1,
      `must have exactly one of ${names.join(', ')}`,
    ),
    v.metadata({
      typeName,
      isOneOf: true,
      jsonSchema: { minProperties: 1, maxProperties: 1 },
    } satisfies TypeMetadata),
    v.description(description),
    v.transform((given) => given as unknown as OneOf<C>),
  )
}
