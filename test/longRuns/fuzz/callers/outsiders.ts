/**
 * Callers without an account: the providers that deliver webhooks, and the devices that enroll. Their requests cannot be
 * generated from a schema.
 */
import { type Provider, webhookProviders } from '../../../../spec/hosts/webhookProviders.ts'
import { type Identity, identity } from '../../../kit/program/certificates.ts'
import { answerText, anyPhone, signedBy } from '../../../kit/program/phone.ts'
import { senders } from '../../../kit/program/servers/webhookSenders.ts'
import type { Random } from '../../soak/random.ts'
import type { Sent } from '../http.ts'

export interface Hook {
  readonly id: string
  readonly provider: string
  readonly scheme: string
  secret: string | undefined
}

const kept = 50

export class Outsiders {
  readonly #hooks: Hook[] = []
  readonly #links: string[] = []
  readonly #answers: Partial<Sent>[] = []
  readonly #enrolled: string[] = []
  #delivered = 0
  #signer: Promise<Identity> | undefined

  /** @param scheme if none was chosen, it is the provider's first */
  made(id: string, provider: Provider, scheme: string | undefined, secret: string | undefined): void {
    keep(this.#hooks, { id, provider, scheme: scheme ?? webhookProviders[provider].schemes[0], secret })
  }

  rotated(id: string, secret: string | undefined): void {
    const hook = this.#hooks.find((one) => one.id === id)
    if (hook) hook.secret = secret
  }

  hook(random: Random): Hook | undefined {
    return this.#hooks.length > 0 ? random.pick(this.#hooks) : undefined
  }

  delivery(random: Random): Partial<Sent> | undefined {
    const signed = this.#hooks.filter(({ secret }) => secret !== undefined)
    if (signed.length === 0) return undefined
    const { id, provider, scheme, secret = '' } = random.pick(signed)
    const sender = Object.values(senders).find((one) => one.provider === provider && (one.scheme ?? scheme) === scheme)
    if (sender === undefined) return undefined
    // One in ten is delivered again.
    const nonce = `fuzz-${random.chance(0.1) ? this.#delivered : ++this.#delivered}`
    const { body, headers } = sender.send({ secret, at: Date.now(), id: nonce })
    return { path: `/api/public/webhooks/${sender.path}/${id}`, body, headers: { ...headers } }
  }

  linked(url: string): void {
    const { pathname, search } = new URL(url)
    keep(this.#links, pathname + search)
  }

  profile(random: Random): Partial<Sent> | undefined {
    return this.#links.length > 0 ? { path: random.pick(this.#links) } : undefined
  }

  /** Called when a profile arrived. Its device creates an answer. */
  profiled(plist: string): void {
    const challenge = /<key>Challenge<\/key>\s*<string>([^<]+)</.exec(plist)?.[1]
    const path = /<key>URL<\/key>\s*<string>https?:\/\/[^/<]+([^<]+)</.exec(plist)?.[1]
    if (challenge === undefined || path === undefined) return
    this.#signer ??= identity({ name: 'a phone' })
    void this.#signer
      .then((signer) => signedBy(signer, answerText(anyPhone(), challenge)))
      .then((body) =>
        keep(this.#answers, {
          path,
          body: Buffer.from(body),
          headers: { 'content-type': 'application/pkcs7-signature' },
        }),
      )
  }

  answer(random: Random): Partial<Sent> | undefined {
    if (this.#answers.length === 0) return undefined
    const answer = random.pick(this.#answers)
    keep(this.#enrolled, `${answer.path}/done`)
    return answer
  }

  done(random: Random): Partial<Sent> | undefined {
    return this.#enrolled.length > 0 ? { path: random.pick(this.#enrolled) } : undefined
  }
}

function keep<T>(list: T[], one: T): void {
  list.push(one)
  if (list.length > kept) list.shift()
}
