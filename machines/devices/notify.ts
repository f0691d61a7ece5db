/**
 * Requests a notification to people, in the console and on their devices: one line among the `effects` of an outcome. The machine's definition
 * must list `notify`. If push is off, no device receives it.
 *
 *     effects: [notify({ reason: 'DEVICE_ENROLLED', at: event.at, name: context.init.name })]
 */
import type { News } from '../../spec/devices/news.ts'

export function notify(news: News): { readonly type: 'notify'; readonly params: News } {
  return { type: 'notify', params: news }
}
