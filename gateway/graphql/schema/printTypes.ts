/** Prints the GraphQL schema as types, in the form that `gql.tada` reads. From them the compiler derives the types of a client's operations. */
import {
  type GraphQLInputField,
  type GraphQLNamedType,
  type GraphQLSchema,
  type GraphQLType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isListType,
  isNonNullType,
  isObjectType,
  isUnionType,
} from 'graphql'

const header = `/** The GraphQL schema as types, for \`gql.tada\`. \`node gateway/graphql/schema/printSchema.ts\` writes this file. */

interface Named<Name> {
  name: Name
}
interface List<Type> {
  kind: 'LIST'
  ofType: Type
}
interface NonNull<Type> {
  kind: 'NON_NULL'
  ofType: Type
}
interface ObjectType<Name, Fields> {
  kind: 'OBJECT'
  name: Name
  fields: { [Field in keyof Fields]: { name: Field; type: Fields[Field] } }
}
interface InterfaceType<Name, PossibleTypes, Fields> {
  kind: 'INTERFACE'
  name: Name
  possibleTypes: PossibleTypes
  fields: { [Field in keyof Fields]: { name: Field; type: Fields[Field] } }
}
interface UnionType<Name, PossibleTypes> {
  kind: 'UNION'
  name: Name
  fields: Record<never, never>
  possibleTypes: PossibleTypes
}
interface InputType<Name, IsOneOf, Fields> {
  kind: 'INPUT_OBJECT'
  name: Name
  isOneOf: IsOneOf
  inputFields: Fields
}
interface InputField<Name, Type, DefaultValue = undefined> {
  name: Name
  type: Type
  defaultValue: DefaultValue
}
interface EnumType<Name, Values> {
  name: Name
  enumValues: Values
}
`

/** @returns the text of a module that exports \`SchemaTypes\` */
export function printTypes(schema: GraphQLSchema): string {
  const types = Object.values(schema.getTypeMap())
    .filter(({ name }) => !name.startsWith('__'))
    .flatMap((type) => printType(type, schema) ?? [])
  const operations = [
    ['query', schema.getQueryType()],
    ['mutation', schema.getMutationType()],
    ['subscription', schema.getSubscriptionType()],
  ] as const
  return [
    header,
    'export interface SchemaTypes {',
    '  name: never',
    ...operations.map(([operation, type]) => `  ${operation}: '${type?.name}'`),
    '  types: {',
    ...types.map((type) => `    ${type}`),
    '  }',
    '}',
    '',
  ].join('\n')
}

/** Scalars are not printed, because the operations declare their types. */
function printType(type: GraphQLNamedType, schema: GraphQLSchema): string | undefined {
  const { name } = type
  if (isEnumType(type)) return `${name}: EnumType<'${name}', ${printUnion(type.getValues())}>`
  if (isObjectType(type)) return `${name}: ObjectType<'${name}', ${printFields(type.getFields())}>`
  if (isInterfaceType(type)) {
    const possible = printUnion(schema.getPossibleTypes(type))
    return `${name}: InterfaceType<'${name}', ${possible}, ${printFields(type.getFields())}>`
  }
  if (isUnionType(type)) return `${name}: UnionType<'${name}', ${printUnion(type.getTypes())}>`
  if (isInputObjectType(type)) {
    const fields = Object.values(type.getFields()).map(printInputField)
    return `${name}: InputType<'${name}', ${type.isOneOf}, [${fields.join(', ')}]>`
  }
  return undefined
}

function printUnion(members: readonly { readonly name: string }[]): string {
  return members.map(({ name }) => `'${name}'`).join(' | ')
}

function printFields(fields: Readonly<Record<string, { readonly type: GraphQLType }>>): string {
  const members = Object.entries(fields).map(([name, { type }]) => `${name}: ${printReference(type)}`)
  return `{ ${members.join('; ')} }`
}

function printInputField({ name, type, default: defaultValue }: GraphQLInputField): string {
  const parts = [`'${name}'`, printReference(type), ...(defaultValue === undefined ? [] : ['unknown'])]
  return `InputField<${parts.join(', ')}>`
}

function printReference(type: GraphQLType): string {
  if (isNonNullType(type)) return `NonNull<${printReference(type.ofType)}>`
  if (isListType(type)) return `List<${printReference(type.ofType)}>`
  return `Named<'${type.name}'>`
}
