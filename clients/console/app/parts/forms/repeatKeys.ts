/**
 * Idempotency keys of what a user sends. Until it has succeeded, the same input has the same key, so that sending it again has no second
 * effect. Afterwards the same input is a new request.
 */

interface RepeatKeys {
  /** Sends the input with its key. */
  send<T>(input: object, request: (idempotencyKey: string) => Promise<T>): Promise<T>
  /** For requests that belong together: the key stays until `clear`. */
  get(input: object): string
  /** Called when all of them have succeeded. */
  clear(): void
}

export function createRepeatKeys(): RepeatKeys {
  const keys = new Map<string, string>()
  const get = (input: object): string => {
    const text = JSON.stringify(input)
    const key = keys.get(text) ?? createKey()
    keys.set(text, key)
    return key
  }
  return {
    async send(input, request) {
      const result = await request(get(input))
      keys.delete(JSON.stringify(input))
      return result
    },
    get,
    clear: () => keys.clear(),
  }
}

/** `crypto.randomUUID` does not exist on pages that are served without TLS. */
function createKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
