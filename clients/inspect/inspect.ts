/** Sends one actor to an inspector: the stored transitions, then each new one. */
import { definitionsOf, kindOf, newSteps, type Server, storedSteps } from './api.ts'
import type { InspectorSocket } from './socket.ts'
import { startTelling } from './telling.ts'
import type { Step } from './translate.ts'

/** There is no actor with the ID. */
class NoActor extends Error {
  override readonly name = 'NoActor'
}

/** Runs until `ended`. @throws NoActor, Refused */
export async function inspect(
  server: Server,
  id: string,
  socket: InspectorSocket,
  say: (line: string) => void,
  ended: AbortSignal,
): Promise<void> {
  const kind = await kindOf(server, id)
  if (kind === undefined) throw new NoActor(`There is no actor ${id}.`)
  let definitions = await definitionsOf(server, kind)
  const telling = startTelling(id, socket.inspector)
  const tell = async (steps: readonly Step[]) => {
    // A server that was upgraded meanwhile may have new machines.
    if (steps.some(({ machineHash }) => !definitions.has(machineHash))) definitions = await definitionsOf(server, kind)
    telling.tell(steps, definitions)
  }
  for await (const page of storedSteps(server, id)) await tell(page)
  say(`${id} is told up to step ${telling.sequence}. What it does next follows, until Ctrl+C.`)
  for await (const step of newSteps(server, id, () => telling.sequence, ended)) await tell([step])
}
