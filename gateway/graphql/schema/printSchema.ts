/** `node gateway/graphql/schema/printSchema.ts` writes `spec/schema.graphql` from the catalog. */
import { writeFile } from 'node:fs/promises'
import { objectTypes, operations } from '../../operations/operations.ts'
import { printCatalogue } from './print.ts'

const target = new URL('../../../spec/schema.graphql', import.meta.url)
await writeFile(target, printCatalogue({ operations, objectTypes }))
