/**
 * The WebSocket of an inspector. The package's own socket reports neither a failed connection nor a close. It sorts the keys of what
 * it sends, also those of states, and cuts deeply nested values.
 */
import { createInspector } from '@statelyai/inspect'
import WebSocket from 'ws'
import type { Inspector, InspectorOptions } from './inspectedActor.ts'

export interface InspectorSocket {
  /** Resolves when the other side has closed it, or `end` was called. */
  readonly closed: Promise<void>
  inspector(options: InspectorOptions): Inspector
  end(): Promise<void>
}

/** @throws if no server responds at the address */
export async function openSocket(url: string): Promise<InspectorSocket> {
  const socket = new WebSocket(url)
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  // A socket with an error is closed, and `closed` reports that.
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
