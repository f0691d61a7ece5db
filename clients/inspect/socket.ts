/**
 * The WebSocket of an inspector. The package's own says nothing where nobody answers, and nothing when it is closed; it sorts the keys
 * of what it sends, states among them, and cuts off what is nested deep.
 */
import { createInspector } from '@statelyai/inspect'
import WebSocket from 'ws'
import type { Inspector, InspectorOptions } from './telling.ts'

export interface InspectorSocket {
  /** Ends when the other side has closed it, or `end` was called. */
  readonly closed: Promise<void>
  inspector(options: InspectorOptions): Inspector
  end(): Promise<void>
}

/** @throws where nobody answers there */
export async function openSocket(url: string): Promise<InspectorSocket> {
  const socket = new WebSocket(url)
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  // A socket that breaks is closed, which is all that there is to know.
  socket.on('error', () => {})
  return {
    closed,
    inspector: (options) => createInspector({ send: (event) => socket.send(JSON.stringify(event)) }, options),
    async end() {
      socket.close()
      await closed
    },
  }
}
