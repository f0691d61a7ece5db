/**
 * Reads XML reports of Cobertura, which coverage.py, Istanbul, gcovr, coverlet and others write too. No document type is loaded and no
 * entity is expanded.
 */
import { SaxesParser, type SaxesTagPlain } from 'saxes'
import { type Count, type CoverageTable, type FileEntry, toCount } from './coverageTable.ts'
import { excerpt, invalidLine, type ReportProblem } from './problem.ts'
import type { ReportParser } from './reportParser.ts'
import type { SourcePaths } from './sourcePaths.ts'

const sourcesMax = 100
const sourceLengthMax = 4_096
const depthMax = 100

export class CoberturaParser implements ReportParser {
  readonly #table: CoverageTable
  readonly #paths: SourcePaths
  readonly #xml = new SaxesParser<{ xmlns: false; position: true }>({ xmlns: false, position: true })
  readonly #sources: string[] = []
  /** The text of the `source` element that is open. */
  #source: string | undefined
  #depth = 0
  #isReport = false
  /** The file of the open class. Undefined also for a file that is not in the checkout. */
  #file: FileEntry | undefined
  #isInClass = false

  constructor(table: CoverageTable, paths: SourcePaths) {
    this.#table = table
    this.#paths = paths
    this.#xml.on('error', (error) => {
      // The message of the parser begins with the place.
      throw invalidLine(this.#xml.line, `it is no XML: ${excerpt(error.message.replace(/^\d+:\d+: /, ''))}`)
    })
    this.#xml.on('opentag', (tag) => this.#begin(tag))
    this.#xml.on('text', (text) => {
      if (this.#source !== undefined) this.#source = (this.#source + text).slice(0, sourceLengthMax)
    })
    this.#xml.on('closetag', ({ name }) => this.#finish(name))
  }

  write(text: string): void {
    this.#xml.write(text)
  }

  end(): void {
    this.#xml.close()
    if (!this.#isReport) throw invalidLine(1, 'the document has no element “coverage”')
  }

  #begin({ name, attributes }: SaxesTagPlain): void {
    this.#depth += 1
    if (this.#depth > depthMax) throw this.#invalid(`more than ${depthMax} elements are in one another`)
    if (this.#depth === 1) {
      if (name !== 'coverage') throw this.#invalid(`the document is “${excerpt(name)}” and not “coverage”`)
      this.#isReport = true
    }
    if (name === 'source') this.#source = ''
    else if (name === 'class') this.#beginClass(attributes.filename)
    else if (name === 'line' && this.#isInClass) this.#addLine(attributes)
  }

  #finish(name: string): void {
    this.#depth -= 1
    if (name === 'class') {
      this.#isInClass = false
      this.#file = undefined
    }
    if (name !== 'source' || this.#source === undefined) return
    const source = this.#source.trim()
    this.#source = undefined
    if (source !== '' && this.#sources.length < sourcesMax) this.#sources.push(source)
  }

  #beginClass(filename: string | undefined): void {
    if (filename === undefined || filename === '') throw this.#invalid('the class has no attribute “filename”')
    const path = this.#paths.find(filename, this.#sources)
    this.#file = path === undefined ? undefined : this.#table.file(path)
    this.#isInClass = true
  }

  #addLine(attributes: SaxesTagPlain['attributes']): void {
    const { number = '', hits = '' } = attributes
    if (!/^\d{1,9}$/.test(number) || !/^\d+$/.test(hits))
      throw this.#invalid(
        `the line has number “${excerpt(number)}” and hits “${excerpt(hits)}”, and not two whole numbers`,
      )
    if (this.#file === undefined) return
    this.#table.addLine(this.#file, Number(number), Number(hits) > 0)
    const branches = this.#branchesOf(attributes['condition-coverage'])
    if (branches !== undefined) this.#table.addBranch(this.#file, number, branches)
  }

  /** Such as `50% (1/2)`. */
  #branchesOf(text: string | undefined): Count | undefined {
    if (text === undefined || text === '') return undefined
    const [, covered, total] = /\((\d+)\/(\d+)\)/.exec(text) ?? []
    const count = toCount(Number(covered), Number(total))
    if (count === undefined) throw this.#invalid(`the condition-coverage “${excerpt(text)}” is not like “50% (1/2)”`)
    return count
  }

  #invalid(reason: string): ReportProblem {
    return invalidLine(this.#xml.line, reason)
  }
}
