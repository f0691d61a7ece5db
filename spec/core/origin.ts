/** Origins of servers as people write them: a scheme, a host and a port, such as `https://signalbox.example:8443`. */

/** Whether a text is an http or https origin. A slash at its end is accepted. A path, a query and a user are not. */
export function isOrigin(text: string): boolean {
  return /^https?:\/\/[^\s/\\?#@]+\/?$/i.test(text) && URL.canParse(text)
}

/** The origin as browsers write it: in lower case, without the default port and without a slash at its end. */
export function normalizeOrigin(text: string): string {
  return new URL(text).origin
}
