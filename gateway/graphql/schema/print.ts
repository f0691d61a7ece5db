/** Prints the GraphQL schema of a catalog of operations. `spec/schema.graphql` contains the text, and people review its diffs. */

import type { Schema } from '../../../spec/core/types.ts'
import { describe, type Shape } from '../../operations/core/shapes.ts'
import type { Operation } from '../../operations/handler.ts'
import type { AnyObjectType } from '../../operations/objectType.ts'

export interface Catalogue {
  readonly operations: readonly Operation[]
  readonly objectTypes: readonly AnyObjectType[]
}

type Use = 'input' | 'output'

const roots = [
  ['query', 'Query'],
  ['mutation', 'Mutation'],
  ['subscription', 'Subscription'],
] as const

const builtIn = `"""A moment, RFC 3339 with milliseconds and Z."""
scalar DateTime

"""Any JSON value."""
scalar JSON`

export function printCatalogue(catalogue: Catalogue): string {
  return new Printer(catalogue).print()
}

class Printer {
  readonly #catalogue: Catalogue
  readonly #objects: ReadonlyMap<string, AnyObjectType>
  /** Printed definitions by name. */
  readonly #types = new Map<string, string>()
  readonly #uses = new Map<string, { readonly use: Use; readonly fields: Readonly<Record<string, Schema>> }>()
  readonly #interfaces: ReadonlyMap<string, readonly AnyObjectType[]>

  constructor(catalogue: Catalogue) {
    this.#catalogue = catalogue
    this.#objects = new Map(catalogue.objectTypes.map((type) => [type.name, type]))
    const interfaces = new Map<string, AnyObjectType[]>()
    for (const type of catalogue.objectTypes) {
      if (type.implements !== undefined)
        interfaces.set(type.implements, [...(interfaces.get(type.implements) ?? []), type])
    }
    this.#interfaces = interfaces
  }

  print(): string {
    const fields = roots.map(([kind, name]) => [kind, name, this.#rootFields(kind)] as const)
    for (const type of this.#catalogue.objectTypes) this.#typeOf(type.schema, type.name, 'output')
    for (const [name, members] of this.#interfaces) this.#printInterface(name, members)
    if (this.#catalogue.objectTypes.length > 0) this.#types.set('Node', printNode())
    const rootTypes = fields
      .filter(([, , own]) => own.length > 0)
      .map(([, name, own]) => `type ${name} {\n${own.join('\n\n')}\n}`)
    const names = [...this.#types.keys()].sort()
    return `${[builtIn, ...rootTypes, ...names.map((name) => this.#types.get(name))].join('\n\n')}\n`
  }

  #rootFields(kind: Operation['kind']): string[] {
    const operations = this.#catalogue.operations.filter((operation) => operation.kind === kind)
    const fields = operations.map((operation) => this.#rootField(operation))
    const hasNode = operations.some((operation) => operation.name === 'node')
    if (kind === 'query' && !hasNode && this.#catalogue.objectTypes.length > 0)
      fields.push(`  """Any object by its ID, where the caller may see it."""\n  node(id: ID!): Node`)
    return fields
  }

  #rootField(operation: Operation): string {
    const { name, input, output, kind } = operation
    const suffix = kind === 'mutation' ? 'Payload' : 'Result'
    const type = this.#typeOf(output, `${capital(name)}${suffix}`, 'output')
    return `${doc(operation.description, '  ')}  ${name}${this.#arguments(operation, input)}: ${type}${deprecated(operation.deprecated)}`
  }

  #arguments(operation: Operation, input: Schema | undefined): string {
    if (input === undefined) return ''
    const { shape } = describe(input)
    if (shape.kind !== 'object') throw new Error(`${operation.name}: an input must be an object`)
    const entries = Object.entries(shape.fields)
    if (entries.length === 0) return ''
    const inputName = `${capital(operation.name)}Input`
    if (operation.kind === 'mutation' && operation.flatArguments !== true)
      return `(input: ${this.#typeOf(input, inputName, 'input')})`
    const args = entries.map(([name, schema]) => this.#field(name, schema, inputName, 'input', '    '))
    return `(\n${args.join('\n')}\n  )`
  }

  /** Prints a field of an object or an argument, with its description above it. */
  #field(name: string, schema: Schema, parent: string, use: Use, indent: string): string {
    const { shape, description, typeDescription, fallback, deprecated: reason } = describe(schema)
    // A named type has a description of its own.
    const isNamed = shape.kind !== 'scalar' && 'name' in shape && shape.name !== undefined
    const own = isNamed && description === typeDescription ? undefined : description
    const suffix = use === 'input' ? `${parent.replace(/Input$/, '')}${capital(name)}Input` : parent + capital(name)
    const type = this.#typeOf(schema, suffix, use)
    const otherwise = use === 'input' && fallback !== undefined ? ` = ${valueText(fallback, shape)}` : ''
    return `${doc(own, indent)}${indent}${name}: ${type}${otherwise}${deprecated(reason)}`
  }

  #typeOf(schema: Schema, fallback: string, use: Use): string {
    const { shape, nullable, typeDescription: description } = describe(schema)
    const mark = nullable ? '' : '!'
    switch (shape.kind) {
      case 'scalar':
        return shape.name + mark
      case 'list':
        return `[${this.#typeOf(shape.item, fallback, use)}]${mark}`
      case 'enum': {
        if (shape.name === undefined) return `String${mark}`
        const values = shape.values.map((value) => `  ${value}`).join('\n')
        this.#keep(shape.name, () => `${doc(description)}enum ${shape.name} {\n${values}\n}`)
        return shape.name + mark
      }
      case 'object': {
        const name = shape.name ?? fallback
        if (!this.#interfaces.has(name)) this.#printObject(name, shape.fields, description, use)
        return name + mark
      }
      case 'choice': {
        const name = shape.name ?? fallback
        const options = shape.options.map((option, index) => this.#typeOf(option, `${name}${index}`, use))
        if (use === 'input') throw new Error(`${name}: GraphQL has no choice between inputs`)
        if (!this.#interfaces.has(name)) {
          const union = options.map((option) => option.replace('!', '')).join(' | ')
          this.#keep(name, () => `${doc(description)}union ${name} = ${union}`)
        }
        return name + mark
      }
    }
  }

  #printObject(
    name: string,
    fields: Readonly<Record<string, Schema>>,
    description: string | undefined,
    use: Use,
  ): void {
    const known = this.#uses.get(name)
    if (known !== undefined && known.use !== use)
      throw new Error(`${name} is used as an input and as an output; GraphQL needs two names`)
    // A type that is being printed can refer to itself. Another one with the same name must have the same text.
    if (known !== undefined && (known.fields === fields || this.#types.get(name) === '')) return
    this.#uses.set(name, { use, fields })
    this.#keep(name, () => {
      const object = use === 'output' ? this.#objects.get(name) : undefined
      const lines = Object.entries(fields)
        .filter(([field]) => field !== '__typename')
        .map(([field, schema]) => this.#field(field, schema, name, use, '  '))
      if (object) lines.push(...this.#relationFields(object))
      const keyword = use === 'input' ? 'input' : 'type'
      return `${doc(description)}${keyword} ${name}${implementing(object, fields)} {\n${lines.join('\n')}\n}`
    })
  }

  #relationFields(object: AnyObjectType): string[] {
    return Object.entries(object.relations).map(([name, relation]) => {
      const mark = relation.nullable ? '' : '!'
      const type =
        relation.type === 'derived'
          ? this.#typeOf(relation.output, object.name + capital(name), 'output').replace(/!$/, '') + mark
          : relation.type === 'one'
            ? relation.target + mark
            : `[${relation.target}!]${mark}`
      return `${doc(relation.description, '  ')}  ${name}: ${type}`
    })
  }

  /** The fields of an interface are those that all its members have with the same type. */
  #printInterface(name: string, members: readonly AnyObjectType[]): void {
    const texts = members.map((member) => this.#types.get(member.name) ?? '')
    const [first = [], ...others] = texts.map(fieldsOfPrinted)
    const shared = first.filter((field) => others.every((other) => other.some((o) => o.signature === field.signature)))
    const lines = shared.map((field) => `${field.doc}  ${field.signature}`)
    const node = shared.some((field) => field.signature === 'id: ID!') ? ' implements Node' : ''
    this.#types.set(name, `"""What every ${name} has."""\ninterface ${name}${node} {\n${lines.join('\n')}\n}`)
  }

  #keep(name: string, print: () => string): void {
    const known = this.#types.get(name)
    if (known === undefined) this.#types.set(name, '')
    const text = print()
    if (known !== undefined && known !== '' && known !== text) throw new Error(`two different types are named ${name}`)
    this.#types.set(name, text)
  }
}

function implementing(object: AnyObjectType | undefined, fields: Readonly<Record<string, Schema>>): string {
  if (!object) return ''
  const names = [...(fields.id ? ['Node'] : []), ...(object.implements === undefined ? [] : [object.implements])]
  return names.length === 0 ? '' : ` implements ${names.join(' & ')}`
}

interface PrintedField {
  readonly signature: string
  readonly doc: string
}

function fieldsOfPrinted(text: string): PrintedField[] {
  const body = text.slice(text.indexOf('{\n') + 2, text.lastIndexOf('\n}'))
  const fields: PrintedField[] = []
  let above = ''
  for (const line of body.split('\n')) {
    if (/^ {2}[A-Za-z_]/.test(line)) {
      fields.push({ signature: line.trim(), doc: above })
      above = ''
    } else above += `${line}\n`
  }
  return fields
}

function printNode(): string {
  return '"""Whatever has an ID."""\ninterface Node {\n  id: ID!\n}'
}

/** Prints a default value as GraphQL. Names of an enum have no quotes. */
function valueText(value: string | number | boolean, shape: Shape): string {
  return shape.kind === 'enum' && shape.name !== undefined ? String(value) : JSON.stringify(value)
}

function capital(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1)
}

/** Prints a description on one line. Only its own end must be escaped in a block string. */
function doc(text: string | undefined, indent = ''): string {
  if (text === undefined || text === '') return ''
  return `${indent}"""${text.replaceAll('\n', ' ').replaceAll('"""', '\\"""').replace(/"$/, '" ')}"""\n`
}

function deprecated(reason: string | undefined): string {
  return reason === undefined ? '' : ` @deprecated(reason: ${JSON.stringify(reason)})`
}
