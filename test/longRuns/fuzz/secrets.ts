/** Every secret that was ever created, and the search for one in the program's output. */
import { createHash, randomBytes } from 'node:crypto'

/** Passwords of the fuzzer are recognized by their form, whatever is damaged in them. */
const passwordForm = /fzpw-[0-9a-f]{8}/
const runs = /[A-Za-z0-9_+/=-]{20,}/g
/** A credential, by its form. A session's credential has no form except its length. */
const credentialForm = /\b(?:svc|agent|enroll)_[A-Za-z0-9_-]{43}/g
const forms: readonly (readonly [string, RegExp])[] = [
  ['a password', passwordForm],
  ['the hash of a password', /\$argon2/],
  ['an encrypted secret', /sealed1\.[0-9a-f]{16}\.[\w-]{43}\./],
  ['a private key', /-----BEGIN [A-Z ]*PRIVATE KEY-----/],
]

export class Secrets {
  readonly #known = new Map<string, string>()

  /** From now on, neither the secret nor its hash may appear anywhere. */
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

  /** A description of the known secret in the text; undefined if there is none. */
  find(text: string): string | undefined {
    for (const [what, form] of forms) if (form.test(text)) return what
    for (const [run] of text.matchAll(runs)) {
      const known = this.#known.get(run)
      if (known !== undefined) return known
    }
    return undefined
  }

  /** Stores credentials that are shown for the first time. */
  harvest(text: string): readonly string[] {
    const fresh = [...new Set([...text.matchAll(credentialForm)].map(([found]) => found))]
    for (const [, session = ''] of text.matchAll(/"(?:token|fz_token)":"([\w-]{43})"/g)) fresh.push(session)
    const unknown = fresh.filter((one) => !this.#known.has(one))
    for (const one of unknown) this.add(one)
    return unknown
  }
}
