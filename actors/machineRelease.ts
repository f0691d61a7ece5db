import type { Definition } from '../machines/framework/define.ts'
import { compile } from './decide/logic.ts'

/** Identifies the machines by their hashes. Two programs with different machines are different releases. */
export function machineRelease(definitions: readonly Definition[]): string {
  const names = definitions.map((definition) => {
    const { machine } = compile(definition)
    return `${definition.kind} ${machine.version} ${machine.hash}`
  })
  return names.sort().join()
}
