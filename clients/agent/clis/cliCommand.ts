/** A coding CLI on this machine. `command` is a line for `sh`. */
export interface CliCommand {
  name: string
  protocol: 'ACP' | 'PLAIN'
  command: string
}

/** Reads `acp:<command>` and `plain:<command>`. A command without a prefix is plain. */
export function readClis(clis: Record<string, string>): CliCommand[] {
  return Object.entries(clis).map(([name, value]) => {
    const [, protocol, command] = /^(acp|plain):\s*(.*)$/s.exec(value) ?? [undefined, 'plain', value]
    return { name, protocol: protocol === 'acp' ? 'ACP' : 'PLAIN', command: command ?? '' }
  })
}

/** Returns the program of a command line: the first word that is not `NAME=value`, unquoted. */
export function programOf(command: string): string {
  const words = command.match(/(?:[^\s"']+|"[^"]*"|'[^']*')+/g) ?? []
  const word = words.find((one) => !/^[A-Za-z_][A-Za-z0-9_]*=/.test(one)) ?? command
  return word.replace(/["']/g, '')
}
