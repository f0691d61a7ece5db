/**
 * Idempotency keys of a form: the same input has the same key, so that sending it again has no second effect. Another input has another
 * key.
 */

interface RepeatKeys {
  get(input: object): string
}

export function createRepeatKeys(): RepeatKeys {
  const keys = new Map<string, string>()
  return {
    get: (input) => {
      const text = JSON.stringify(input)
      const key = keys.get(text) ?? createKey()
      keys.set(text, key)
      return key
    },
  }
}

/** `crypto.randomUUID` does not exist on pages that are served without TLS. */
function createKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
