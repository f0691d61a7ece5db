/** Signalbox as a contender: a process of its own on an embedded database, its first account's key, and agents. */
import { firstKey } from '../../../kit/program/graphql.ts'
import { freePorts } from '../../../kit/program/ports.ts'
import { embeddedServer } from '../../../kit/runtime/postgres/embeddedServer.ts'
import { freshDatabase } from '../../../kit/runtime/postgres/preparedFolder.ts'
import type { SignalboxOptions } from '../contenders/signalbox.ts'
import { type ContenderProcess, startContender } from './contender.ts'
import { startFleet } from './fleet.ts'

export async function startBenched(dataDir: string, agents: number, how: Pick<ContenderProcess, 'log' | 'profile'>) {
  const ports = await freePorts()
  await freshDatabase(dataDir)
  const options: SignalboxOptions = { dataDir, port: ports.main, agentPort: ports.agent }
  const module = new URL('../contenders/signalbox.ts', import.meta.url)
  const contender = await startContender('Signalbox', { module, options, ...how })
  try {
    const url = `http://localhost:${contender.port}`
    const apiKey = await firstKey(url)
    const fleet = startFleet(url, ports.agent, apiKey)
    await fleet.grow(agents)
    const database = await embeddedServer(dataDir)
    const stop = async (): Promise<void> => {
      await fleet.stop()
      await contender.stop()
    }
    return { contender, url, apiKey, fleet, database, stop }
  } catch (error) {
    await contender.stop()
    throw error
  }
}
