import type { Definition } from '../machines/framework/define.ts'
import { compile } from './decide/logic.ts'

/** Identifies the machines by their hashes. Other machines are another release of the program. */
export function machineRelease(definitions: readonly Definition[]): string {
  const names = definitions.map((definition) => {
    const { machine } = compile(definition)
    return `${definition.kind} ${machine.version} ${machine.hash}`
  })
  return names.sort().join()
}
