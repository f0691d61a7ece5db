/**
 * The environment of programs that the tests start: the paths of tools, and the options with which Node loads files fast. It
 * contains no setting of the machine's owner.
 */
export function bareEnvironment(): Record<string, string> {
  const names = ['PATH', 'HOME', 'NODE_COMPILE_CACHE', 'NODE_OPTIONS']
  return Object.fromEntries(names.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])))
}
