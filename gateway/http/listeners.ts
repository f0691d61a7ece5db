/** Opens one uWebSockets.js app for each port. */
import { StartError } from '../../storage/database/startError.ts'
import { type Listening, listen, newApp, type UwsApp } from './uws.ts'

export interface Listener extends Listening {
  readonly app: UwsApp
}

/** @throws StartError if the port is in use or not permitted */
export async function openListener(
  host: string,
  port: number,
  setting: string,
  serve: (app: UwsApp) => void,
): Promise<Listener> {
  const app = newApp()
  serve(app)
  const listening = await listen(app, host, port)
  if (!listening) {
    app.close()
    throw new StartError(
      `Port ${port} on ${host} cannot be listened on, most likely because another program has it: stop that program or set ${setting} to a free port, for example ${setting}=${port === 0 ? 3000 : port + 1}.`,
    )
  }
  return { ...listening, app }
}
