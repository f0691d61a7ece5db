import { OutboundFailed } from '../../../spec/core/outboundFailed.ts'

const untrusted = /^(CERT_|ERR_TLS_|ERR_SSL_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED|HOSTNAME_MISMATCH|INVALID_CA|EPROTO)/

/** Of an error of Node, only the code is reported. Its message may contain addresses, headers and received data. */
export function toOutboundFailed(error: Error, host: string, connected: boolean): OutboundFailed {
  const code = 'code' in error && /^[A-Z0-9_]+$/.test(String(error.code)) ? ` (${error.code})` : ''
  if (untrusted.test(code.slice(2)))
    return new OutboundFailed('UNTRUSTED', `${host} can't be trusted by its TLS${code}.`)
  if (code.startsWith(' (HPE_')) return new OutboundFailed('BAD_ANSWER', `${host} does not answer in HTTP${code}.`)
  return connected
    ? new OutboundFailed('BROKEN', `The connection to ${host} broke${code}.`)
    : new OutboundFailed('UNREACHABLE', `${host} can't be reached${code}.`)
}
