/** Reads values of the dictionary of a property list as XML. No document type is loaded, and no entity is expanded. */
import { SaxesParser } from 'saxes'
import { printable } from '../../core/printable.ts'
import { PlistProblem } from './plistProblem.ts'

/** Characters of a text that are read. */
const mostText = 1_000
/** The parser keeps a list of the open elements. */
const mostDepth = 100
/** The elements around the keys and values. */
const outer = ['plist', 'dict'] as const
const valueDepth = outer.length + 1
const texts: ReadonlySet<string> = new Set(['string', 'integer', 'real'])

/** @throws PlistProblem */
export function readXmlPlist(text: string, keys: ReadonlySet<string>): ReadonlyMap<string, string | undefined> {
  const found = new Map<string, string | undefined>()
  let depth = 0
  let hasDictionary = false
  let key: string | undefined
  let content = ''
  const xml = new SaxesParser({ xmlns: false, position: false })
  const addText = (part: string) => {
    if (depth === valueDepth) content = (content + part).slice(0, mostText)
  }
  xml.on('error', (error) => {
    throw new PlistProblem(`is no XML: ${printable(error.message, 200)}`)
  })
  xml.on('text', addText)
  xml.on('cdata', addText)
  xml.on('opentag', ({ name }) => {
    if (depth < outer.length && name !== outer[depth]) throw new PlistProblem('has no dictionary')
    if (++depth > mostDepth) throw new PlistProblem(`has more than ${mostDepth} elements in one another`)
    hasDictionary ||= depth === outer.length
    content = ''
  })
  xml.on('closetag', ({ name }) => {
    if (depth-- !== valueDepth) return
    if (name === 'key') key = content
    else {
      if (key !== undefined && keys.has(key)) found.set(key, texts.has(name) ? content : undefined)
      key = undefined
    }
  })
  xml.write(text).close()
  if (!hasDictionary) throw new PlistProblem('has no dictionary')
  return found
}
