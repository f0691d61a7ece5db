/** Every secret that was ever made, and the search for one in what the program says. */
import { createHash, randomBytes } from 'node:crypto'

/** Passwords of the fuzzer are known by their form, whatever is wrong with them. */
const passwordForm = /fzpw-[0-9a-f]{8}/
const runs = /[A-Za-z0-9_+/=-]{20,}/g
/** A credential, by its form; a session's has none but its length. */
const credentialForm = /\b(?:svc|agent|enroll)_[A-Za-z0-9_-]{43}/g
const forms: readonly (readonly [string, RegExp])[] = [
  ['a password', passwordForm],
  ['the hash of a password', /\$argon2/],
  ['a sealed secret', /sealed1\.[0-9a-f]{16}\.[\w-]{43}\./],
  ['a private key', /-----BEGIN [A-Z ]*PRIVATE KEY-----/],
]

export class Secrets {
  readonly #known = new Map<string, string>()

  /** From now on it is nowhere to be seen, and neither is its hash. */
  add(secret: string, what = 'a credential'): void {
    if (this.#known.has(secret)) return
    this.#known.set(secret, what)
    for (const encoding of ['hex', 'base64url', 'base64'] as const)
      this.#known.set(createHash('sha256').update(secret).digest(encoding), `the hash of ${what}`)
  }

  newPassword(): string {
    return `fzpw-${randomBytes(12).toString('hex')}`
  }

  get size(): number {
    return this.#known.size / 4
  }

  /** What of it is secret and known, in words; undefined where nothing is. */
  find(text: string): string | undefined {
    for (const [what, form] of forms) if (form.test(text)) return what
    for (const [run] of text.matchAll(runs)) {
      const known = this.#known.get(run)
      if (known !== undefined) return known
    }
    return undefined
  }

  /** Credentials that are shown for the first time: they are remembered. */
  harvest(text: string): readonly string[] {
    const fresh = [...new Set([...text.matchAll(credentialForm)].map(([found]) => found))]
    for (const [, session = ''] of text.matchAll(/"(?:token|fz_token)":"([\w-]{43})"/g)) fresh.push(session)
    const unknown = fresh.filter((one) => !this.#known.has(one))
    for (const one of unknown) this.add(one)
    return unknown
  }
}
