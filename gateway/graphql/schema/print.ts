/** Prints the GraphQL schema of a catalog of operations. `spec/schema.graphql` contains the text, and people review its diffs. */

import * as v from 'valibot'
import { connectionOf, nestedPageArguments } from '../../../spec/core/connections.ts'
import { named, type Schema } from '../../../spec/core/types.ts'
import { describe, type Shape } from '../../operations/core/shapes.ts'
import type { Operation } from '../../operations/handler.ts'
import type { AnyObjectType, CatalogType, Relation } from '../../operations/objectType.ts'
import { ownFieldsText, ownTypes } from './ownFields.ts'
import { type RootType, rootTypeOf, takesOneInput } from './rootType.ts'

export interface Catalog {
  readonly operations: readonly Operation[]
  readonly objectTypes: readonly CatalogType[]
}

type Use = 'input' | 'output'

const roots = [
  ['query', 'Query'],
  ['mutation', 'Mutation'],
  ['subscription', 'Subscription'],
] as const

const builtIn = `"""A time in the format of RFC 3339, with milliseconds and Z."""
scalar DateTime @specifiedBy(url: "https://scalars.graphql.org/andimarek/date-time.html")

"""Any JSON value."""
scalar JSON @specifiedBy(url: "https://www.rfc-editor.org/rfc/rfc8259")`

export function printCatalog(catalog: Catalog): string {
  return new Printer(catalog).print()
}

class Printer {
  readonly #catalog: Catalog
  readonly #objects: ReadonlyMap<string, CatalogType>
  /** Printed definitions by name. */
  readonly #types = new Map<string, string>()
  /** The fields of printed objects. */
  readonly #fields = new Map<string, readonly PrintedField[]>()
  readonly #uses = new Map<string, { readonly use: Use; readonly fields: Readonly<Record<string, Schema>> }>()
  readonly #interfaces: ReadonlyMap<string, readonly AnyObjectType[]>

  constructor(catalog: Catalog) {
    this.#catalog = catalog
    this.#objects = new Map(catalog.objectTypes.map((type) => [type.name, type]))
    const interfaces = new Map<string, AnyObjectType[]>()
    for (const type of catalog.objectTypes) {
      if ('kind' in type && type.implements !== undefined)
        interfaces.set(type.implements, [...(interfaces.get(type.implements) ?? []), type])
    }
    this.#interfaces = interfaces
  }

  print(): string {
    const fields = roots.map(([root, name]) => [root, name, this.#rootFields(root)] as const)
    for (const type of this.#catalog.objectTypes) this.#typeOf(type.schema, type.name, 'output')
    for (const [name, members] of this.#interfaces) this.#printInterface(name, members)
    if (this.#catalog.objectTypes.length > 0)
      for (const [name, text] of Object.entries(ownTypes)) this.#types.set(name, text)
    const rootTypes = fields
      .filter(([, , own]) => own.length > 0)
      .map(([, name, own]) => `type ${name} {\n${own.join('\n\n')}\n}`)
    const names = [...this.#types.keys()].sort()
    return `${[builtIn, ...rootTypes, ...names.map((name) => this.#types.get(name))].join('\n\n')}\n`
  }

  #rootFields(root: RootType): string[] {
    const operations = this.#catalog.operations.filter((operation) => rootTypeOf(operation) === root)
    const fields = operations.map((operation) => this.#rootField(operation))
    if (root === 'query' && this.#catalog.objectTypes.length > 0) fields.push(ownFieldsText)
    return fields
  }

  #rootField(operation: Operation): string {
    const { name, input, output } = operation
    const suffix = rootTypeOf(operation) === 'mutation' ? 'Payload' : 'Result'
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
    if (takesOneInput(operation)) return `(input: ${this.#typeOf(input, inputName, 'input')})`
    const args = entries.map(([name, schema]) => this.#argument(name, schema, inputName, '    '))
    return `(\n${args.join('\n')}\n  )`
  }

  /** Prints an argument, with its description above it. */
  #argument(name: string, schema: Schema, parent: string, indent: string): string {
    return fieldText(this.#printField(name, schema, parent, 'input', indent))
  }

  #printField(name: string, schema: Schema, parent: string, use: Use, indent: string): PrintedField {
    const { shape, description, typeDescription, fallback, deprecated: reason } = describe(schema)
    // A named type has a description of its own.
    const isNamed = shape.kind !== 'scalar' && 'name' in shape && shape.name !== undefined
    const own = isNamed && description === typeDescription ? undefined : description
    const suffix = use === 'input' ? `${parent.replace(/Input$/, '')}${capital(name)}Input` : parent + capital(name)
    const type = this.#typeOf(schema, suffix, use)
    const otherwise = use === 'input' && fallback !== undefined ? ` = ${valueText(fallback, shape)}` : ''
    return { doc: doc(own, indent), signature: `${indent}${name}: ${type}${otherwise}${deprecated(reason)}` }
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
        if (!this.#interfaces.has(name)) this.#printObject(name, shape, description, use)
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
    { fields, isOneOf }: Extract<Shape, { kind: 'object' }>,
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
      const printed = Object.entries(fields)
        .filter(([field]) => field !== '__typename')
        .map(([field, schema]) => this.#printField(field, schema, name, use, '  '))
      if (object) printed.push(...this.#relationFields(object))
      this.#fields.set(name, printed)
      const keyword = use === 'input' ? 'input' : 'type'
      return `${doc(description)}${keyword} ${name}${isOneOf ? ' @oneOf' : ''}${implementing(object, fields)} {\n${printed.map(fieldText).join('\n')}\n}`
    })
  }

  #relationFields(object: CatalogType): PrintedField[] {
    return Object.entries(object.relations).map(([name, relation]) => {
      const owner = object.name + capital(name)
      const args = this.#relationArguments(relation, owner)
      const type = this.#relationType(relation, owner).replace(/!$/, '')
      const signature = `  ${name}${args}: ${type}${relation.nullable ? '' : '!'}`
      return { doc: doc(relation.description, '  '), signature }
    })
  }

  #relationType(relation: Relation, owner: string): string {
    if (relation.type === 'one') return relation.target
    if (relation.type === 'list') return `[${relation.target}!]`
    if (relation.type === 'union') {
      const { target, members, about } = relation
      this.#keep(target, () => `${doc(about)}union ${target} = ${members.join(' | ')}`)
      return target
    }
    if (relation.type === 'derived') return this.#typeOf(relation.output, owner, 'output')
    return this.#typeOf(connectionOf(relation.target, this.#objectSchema(relation.target)), owner, 'output')
  }

  #relationArguments(relation: Relation, owner: string): string {
    if (relation.type !== 'connection' && relation.type !== 'derived') return ''
    const schema = relation.type === 'connection' ? nestedPageArguments : relation.arguments
    if (schema === undefined) return ''
    const { shape } = describe(schema)
    if (shape.kind !== 'object') throw new Error(`${owner}: arguments must be an object`)
    const args = Object.entries(shape.fields).map(([arg, own]) => this.#argument(arg, own, owner, '    '))
    return `(\n${args.join('\n')}\n  )`
  }

  /** The schema of an object type, or one that is printed as the name of an interface. */
  #objectSchema(name: string): Schema {
    const object = this.#objects.get(name)
    if (object !== undefined) return object.schema
    if (!this.#interfaces.has(name)) throw new Error(`there is no type ${name}`)
    return named(name, '', v.object({}))
  }

  /** The fields of an interface are those that all its members have with the same type. */
  #printInterface(name: string, members: readonly AnyObjectType[]): void {
    const [first = [], ...others] = members.map((member) => this.#fields.get(member.name) ?? [])
    const shared = first.filter((field) => others.every((other) => other.some((o) => o.signature === field.signature)))
    const node = shared.some((field) => field.signature === '  id: ID!') ? ' implements Node' : ''
    const text = `interface ${name}${node} {\n${shared.map(fieldText).join('\n')}\n}`
    this.#types.set(name, `"""The common fields of every ${name}."""\n${text}`)
  }

  #keep(name: string, print: () => string): void {
    const known = this.#types.get(name)
    if (known === undefined) this.#types.set(name, '')
    const text = print()
    if (known !== undefined && known !== '' && known !== text) throw new Error(`two different types are named ${name}`)
    this.#types.set(name, text)
  }
}

function implementing(object: CatalogType | undefined, fields: Readonly<Record<string, Schema>>): string {
  if (!object || !('kind' in object || object.isNode)) return ''
  const names = [
    ...(fields.id ? ['Node'] : []),
    ...('kind' in object && object.implements !== undefined ? [object.implements] : []),
  ]
  return names.length === 0 ? '' : ` implements ${names.join(' & ')}`
}

/** A field of a type, with indentation. */
interface PrintedField {
  readonly doc: string
  readonly signature: string
}

const fieldText = (field: PrintedField): string => field.doc + field.signature

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
