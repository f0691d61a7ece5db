/** Reads the fields of a form by the names that they have in the API. */

/** The values of the fields. Those that are left out return an object without them, which is spread. */
export class FieldReader {
  readonly #formData: FormData

  constructor(formData: FormData) {
    this.#formData = formData
  }

  /** Without spaces at its ends. Empty if there is no such field. */
  text(name: string): string {
    return this.lines(name).trim()
  }

  /** As it was written. Browsers send line ends as CR LF. */
  lines(name: string): string {
    return String(this.#formData.get(name) ?? '').replaceAll('\r\n', '\n')
  }

  all(name: string): string[] {
    return this.#formData.getAll(name).map(String)
  }

  optional(name: string, key: string): object {
    const text = this.text(name)
    return text === '' ? {} : { [key]: text }
  }

  number(name: string, key = name): object {
    const text = this.text(name)
    return text === '' ? {} : { [key]: Number(text) }
  }

  choice(name: string, defaultValue: string, key = name): object {
    const text = this.text(name)
    return text === '' || text === defaultValue ? {} : { [key]: text }
  }

  /** Returns the prefix of each row of a list. @param field a field that every row has */
  rows(name: string, field = 'name'): readonly string[] {
    const prefixes: string[] = []
    while (this.#formData.has(`${name}.${prefixes.length}.${field}`)) prefixes.push(`${name}.${prefixes.length}`)
    return prefixes
  }
}

interface NamedValue {
  readonly name: string
  readonly value: string
}

/** Reads the rows of `NamedValueRows`. */
export function readNamedValues(fields: FieldReader, name: string): NamedValue[] {
  return fields
    .rows(name)
    .map((prefix) => ({ name: fields.text(`${prefix}.name`), value: fields.lines(`${prefix}.value`) }))
}
