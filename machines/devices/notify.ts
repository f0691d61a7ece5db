/**
 * How a machine says what people are to be told of on their devices: one line, among the `effects` of an outcome, in a machine
 * whose definition lists `notify`. Where push is off, nothing of it is written.
 *
 *     effects: [notify({ reason: 'DEVICE_ENROLLED', at: event.at, name: context.init.name })]
 */
import type { News } from '../../spec/devices/news.ts'

export function notify(news: News): { readonly type: 'notify'; readonly params: News } {
  return { type: 'notify', params: news }
}
