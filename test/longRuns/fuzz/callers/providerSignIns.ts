/** Sign-ins at the identity provider, up to the request that ends them: the callback, or the redemption of an app's code. */
import { createHash, randomBytes } from 'node:crypto'
import { Browser } from '../../../kit/program/cookies.ts'
import type { Secrets } from '../secrets.ts'

export interface Callback {
  /** Includes the query. */
  readonly path: string
  readonly cookie: string
}

export interface AppCode {
  readonly code: string
  readonly code_verifier: string
}

const stocked = 2

export class ProviderSignIns {
  readonly #origin: string
  readonly #secrets: Secrets
  readonly #callbacks: Callback[] = []
  readonly #codes: AppCode[] = []
  #stocking = false

  constructor(origin: string, secrets: Secrets) {
    this.#origin = origin
    this.#secrets = secrets
  }

  callback(): Callback | undefined {
    this.#stock()
    return this.#callbacks.shift()
  }

  code(): AppCode | undefined {
    this.#stock()
    return this.#codes.shift()
  }

  /** Creates the user's account, so that registration can be closed from then on. Resolves with its ID. */
  async begin(): Promise<string> {
    const browser = new Browser()
    const { path } = await this.#toCallback(browser)
    await (await browser.ask(this.#origin + path)).text()
    const own = await browser.ask(`${this.#origin}/api/auth/get-session`)
    return ((await own.json()) as { user: { id: string } }).user.id
  }

  #stock(): void {
    if (this.#stocking) return
    this.#stocking = true
    void this.#fill()
      .catch(() => {})
      .finally(() => {
        this.#stocking = false
      })
  }

  async #fill(): Promise<void> {
    while (this.#callbacks.length < stocked) this.#callbacks.push(await this.#toCallback(new Browser()))
    while (this.#codes.length < stocked) this.#codes.push(await this.#toCode())
  }

  async #toCallback(browser: Browser): Promise<Callback> {
    const answer = await browser.ask(`${this.#origin}/api/auth/sign-in/oauth2`, { providerId: 'corp' })
    const { url } = (await answer.json()) as { url: string }
    return this.#atProvider(browser, url)
  }

  async #atProvider(browser: Browser, url: string): Promise<Callback> {
    const back = new URL(await browser.leave(url))
    const cookie = [...browser.jar(this.#origin)].map(([name, value]) => `${name}=${value}`).join('; ')
    return { path: back.pathname + back.search, cookie }
  }

  async #toCode(): Promise<AppCode> {
    const browser = new Browser()
    const code_verifier = randomBytes(32).toString('base64url')
    const challenge = createHash('sha256').update(code_verifier).digest('base64url')
    const query = `state=${randomBytes(32).toString('base64url')}&code_challenge=${challenge}&code_challenge_method=S256`
    const url = await browser.leave(`${this.#origin}/api/auth/mobile/oauth/start?${query}`)
    const { path } = await this.#atProvider(browser, url)
    const answer = await browser.ask(this.#origin + path)
    const code = new URL(answer.headers.get('location') ?? '').searchParams.get('code') ?? ''
    this.#secrets.add(code_verifier, 'a verifier')
    return { code, code_verifier }
  }
}
