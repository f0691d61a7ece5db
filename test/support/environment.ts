/**
 * What a program that the tests start gets of their own environment: where it finds tools, and how Node loads files fast. No setting
 * of the machine's owner comes along.
 */
export function bareEnvironment(): Record<string, string> {
  const names = ['PATH', 'HOME', 'NODE_COMPILE_CACHE', 'NODE_OPTIONS']
  return Object.fromEntries(names.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])))
}
