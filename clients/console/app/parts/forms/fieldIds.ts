/** The IDs of fields. The fields of a dialog differ from those of the page behind it, which may have the same names. */
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'

const Prefix = createContext('')

/** Provides the prefix of the IDs of its fields. */
export const FieldIdPrefix = Prefix.Provider

export function useFieldId(name: string): string {
  return `${useContext(Prefix)}field-${name}`
}

/** Returns whether an element is the field with this name, in a dialog or not. */
export function isFieldNamed({ id }: Element, name: string): boolean {
  return id === `field-${name}` || id.endsWith(`-field-${name}`)
}
