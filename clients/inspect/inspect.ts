/** Sends one actor to an inspector: the stored transitions, then each new one. */
import { definitionsOf, kindOf, newTransitions, type Server, storedTransitions } from './api.ts'
import { openInspectedActor } from './inspectedActor.ts'
import type { InspectorSocket } from './socket.ts'
import type { Transition } from './translate.ts'

/** There is no actor with the ID. */
class NoActor extends Error {
  override readonly name = 'NoActor'
}

/** Runs until `ended`. @throws NoActor, Refused */
export async function inspect(
  server: Server,
  id: string,
  socket: InspectorSocket,
  print: (line: string) => void,
  ended: AbortSignal,
): Promise<void> {
  const kind = await kindOf(server, id)
  if (kind === undefined) throw new NoActor(`There is no actor ${id}.`)
  let definitions = await definitionsOf(server, kind)
  const inspected = openInspectedActor(id, socket.inspector)
  const send = async (transitions: readonly Transition[]) => {
    // A server that was upgraded meanwhile may have new machines.
    if (transitions.some(({ machineHash }) => !definitions.has(machineHash)))
      definitions = await definitionsOf(server, kind)
    inspected.send(transitions, definitions)
  }
  for await (const page of storedTransitions(server, id)) await send(page)
  print(`The ${inspected.sequence} transitions of ${id} were sent. New ones follow, until Ctrl+C.`)
  for await (const transition of newTransitions(server, id, () => inspected.sequence, ended)) await send([transition])
}
