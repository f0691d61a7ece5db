/** As much of a browser as a sign-in needs: cookies by host and port, and redirects, one at a time. */
import assert from 'node:assert/strict'

export class Browser {
  readonly #jars = new Map<string, Map<string, string>>()

  jar(origin: string): Map<string, string> {
    const known = this.#jars.get(origin) ?? new Map<string, string>()
    this.#jars.set(origin, known)
    return known
  }

  async ask(url: string, body?: unknown): Promise<Response> {
    const { origin } = new URL(url)
    const jar = this.jar(origin)
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(url, {
      redirect: 'manual',
      headers: {
        ...(cookie === '' ? {} : { cookie }),
        ...(body === undefined ? {} : { 'content-type': 'application/json', origin }),
      },
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (value === '' || /max-age=0/i.test(line) || /expires=thu, 01 jan 1970/i.test(line)) jar.delete(name)
      else jar.set(name, value)
    }
    return response
  }

  /** Follows redirects as long as they stay at one origin; the URL that leads away is not opened. */
  async leave(url: string): Promise<string> {
    const { origin } = new URL(url)
    for (let at = url, hops = 0; hops < 10; hops++) {
      const response = await this.ask(at)
      const location = response.headers.get('location')
      assert.ok(location !== null, `${at} answered ${response.status}: ${await response.text()}`)
      at = new URL(location, at).href
      if (new URL(at).origin !== origin) return at
    }
    throw new Error('too many redirects')
  }
}
