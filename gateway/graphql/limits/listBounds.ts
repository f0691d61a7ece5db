/** How many items the plain lists of the schema have at most, by `Type.field`, where that is declared. */

import type { Schema } from '../../../spec/core/types.ts'
import { describe } from '../../operations/core/shapes.ts'
import type { Catalog } from '../schema/print.ts'

export type ListBounds = ReadonlyMap<string, number>

export function listBounds({ operations, objectTypes }: Catalog): ListBounds {
  const bounds = new Map<string, number>()
  const seen = new Set<Schema>()
  const visit = (schema: Schema): void => {
    if (seen.has(schema)) return
    seen.add(schema)
    const { shape } = describe(schema)
    if (shape.kind === 'list') visit(shape.item)
    if (shape.kind === 'choice') for (const option of shape.options) visit(option)
    if (shape.kind !== 'object') return
    for (const [name, field] of Object.entries(shape.fields)) {
      const { most } = describe(field)
      if (most !== undefined && shape.name !== undefined) bounds.set(`${shape.name}.${name}`, most)
      visit(field)
    }
  }
  for (const { output } of operations) visit(output)
  for (const object of objectTypes) {
    visit(object.schema)
    // A field of an interface has the bound of its objects, which share the relation.
    const types = [object.name, ...('implements' in object && object.implements ? [object.implements] : [])]
    for (const [name, relation] of Object.entries(object.relations)) {
      const most =
        relation.type === 'list'
          ? relation.most
          : relation.type === 'derived'
            ? describe(relation.output).most
            : undefined
      if (most !== undefined) for (const type of types) bounds.set(`${type}.${name}`, most)
      if (relation.type === 'derived') visit(relation.output)
    }
  }
  return bounds
}
