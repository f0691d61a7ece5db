/** The subject of fuzzing: a running program, and the catalog of its operations. */
import { buildSchema, type GraphQLSchema } from 'graphql'
import { printCatalog } from '../../../gateway/graphql/schema/print.ts'
import { type RootType, rootTypeOf } from '../../../gateway/graphql/schema/rootType.ts'
import type { Operation } from '../../../gateway/operations/handler.ts'
import type { CatalogType } from '../../../gateway/operations/objectType.ts'
import type { RestRoute } from '../../../spec/rest/restRoute.ts'

export type Target =
  | { readonly surface: 'rest'; readonly name: string; readonly access: RestRoute['access']; readonly route: RestRoute }
  | {
      readonly surface: 'graphql'
      readonly name: string
      readonly access: Operation['access']
      readonly kind: RootType
      /** Undefined for `node`, which every schema of ours has. */
      readonly operation: Operation | undefined
    }

export interface Catalog {
  readonly operations: readonly Operation[]
  readonly objectTypes: readonly CatalogType[]
  readonly routes: readonly RestRoute[]
}

export interface Subject {
  readonly catalog: Catalog
  readonly schema: GraphQLSchema
  readonly targets: readonly Target[]
}

export function subjectOf(catalog: Catalog): Subject {
  const schema = buildSchema(printCatalog(catalog))
  const operations = catalog.operations.map(
    (operation): Target => ({
      surface: 'graphql',
      name: operation.name,
      access: operation.access,
      kind: rootTypeOf(operation),
      operation,
    }),
  )
  const node: Target = { surface: 'graphql', name: 'node', access: 'people', kind: 'query', operation: undefined }
  const hasNode = schema.getQueryType()?.getFields().node !== undefined
  const routes = catalog.routes.map(
    (route): Target => ({ surface: 'rest', name: route.name, access: route.access, route }),
  )
  return { catalog, schema, targets: [...operations, ...(hasNode ? [node] : []), ...routes] }
}
