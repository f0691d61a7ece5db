/** A mutation over a socket, with the client that agents use. */
import type { Client } from 'graphql-ws'
import { GraphqlRefusal } from './client.ts'

export function once<T>(
  client: Client,
  field: string,
  input: Readonly<Record<string, unknown>>,
  selection: string,
): Promise<T> {
  const type = `${field.charAt(0).toUpperCase()}${field.slice(1)}Input`
  const query = `mutation ($input: ${type}!) { ${field}(input: $input) { ${selection} } }`
  return new Promise((resolve, reject) => {
    let answer: T | undefined
    client.subscribe<Record<string, T>>(
      { query, variables: { input } },
      {
        next: ({ data, errors }) => {
          if (errors) reject(new GraphqlRefusal(errors))
          else answer = data?.[field]
        },
        error: (error) => reject(Array.isArray(error) ? new GraphqlRefusal(error) : error),
        complete: () => resolve(answer as T),
      },
    )
  })
}
