/** `node gateway/graphql/schema/printSchema.ts` writes `spec/schema.graphql` and `spec/schemaTypes.ts` from the catalog. */
import { writeFile } from 'node:fs/promises'
import { buildSchema } from 'graphql'
import { objectTypes, operations } from '../../operations/operations.ts'
import { printCatalog } from './print.ts'
import { printTypes } from './printTypes.ts'

const spec = new URL('../../../spec/', import.meta.url)
const schema = printCatalog({ operations, objectTypes })
await writeFile(new URL('schema.graphql', spec), schema)
await writeFile(new URL('schemaTypes.ts', spec), printTypes(buildSchema(schema)))
