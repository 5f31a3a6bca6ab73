/** The list of a server's tools: their names, their cards, and the changes since the last listing. */
import { fingerprintOf, type ToolCard, type ToolFingerprints } from '@x/registry'
import { type ForeignNames, foreignNames, type Tool } from '@x/tool-core'
import type { McpError } from '../errors.ts'
import { type Definition, type Execute, isSameJson, refused, toCard, toReadable, toTool } from './definition.ts'
import { shownName } from './messages.ts'
import type { Settings } from './options.ts'
import type { Report } from './report.ts'

export interface ListedTool {
  /** The tool's name in this program. */
  readonly name: string
  readonly definition: Definition
  /** The definition as the server sent it, including hidden characters. */
  readonly sent: Definition
  readonly card: ToolCard
}

/** Creates the function that calls a listed tool. */
export type ExecuteOf = (tool: ListedTool) => Execute

export class Listing {
  readonly #settings: Settings
  readonly #report: Report
  readonly #executeOf: ExecuteOf
  /** Approved fingerprints. Undefined if tools aren't pinned. */
  #pins: Map<string, string> | undefined
  #cards: readonly ToolCard[]
  /** True until the first listing. Before that, the cards are the ones in the options. */
  #isFirst = true
  #listed: ReadonlyMap<string, ListedTool> = new Map()
  #refused: ReadonlyMap<string, McpError> = new Map()
  #names: ForeignNames = foreignNames([])
  readonly #tools = new WeakMap<ListedTool, Tool>()
  #all: readonly Tool[] | undefined
  /** Settles when the last update has ended. */
  #updated: Promise<unknown> = Promise.resolve()

  constructor(settings: Settings, report: Report, executeOf: ExecuteOf) {
    this.#settings = settings
    this.#report = report
    this.#executeOf = executeOf
    this.#pins = settings.pin && new Map(Object.entries(settings.pin))
    this.#cards = Object.freeze([...(settings.cards ?? [])])
  }

  get cards(): readonly ToolCard[] {
    return this.#cards
  }

  /** Returns the server's name for a tool. */
  toServerName(name: string): string | undefined {
    return this.#names.toForeignName(name)?.slice(this.#settings.name.length + 1)
  }

  /** Replaces the list. Resolves to true if the cards have changed. Updates are made one after another, so that the last one remains. */
  update(definitions: readonly Definition[]): Promise<boolean> {
    const update = () => this.#updateNow(definitions)
    const updated = this.#updated.then(update, update)
    this.#updated = updated
    return updated
  }

  async #updateNow(definitions: readonly Definition[]): Promise<boolean> {
    const before = this.#listed
    const rejected = new Map<string, McpError>()
    const listed = this.#toListed(definitions, rejected)
    await this.#compare(before, listed)
    if (this.#pins !== undefined) {
      for (const [name, tool] of listed) {
        const error = await this.#refusalOf(tool, this.#pins.get(name))
        if (error === undefined) continue
        rejected.set(name, error)
        listed.delete(name)
      }
    }
    this.#listed = listed
    this.#refused = rejected
    this.#all = undefined
    this.#isFirst = false
    const cards = [...listed.values()].map(({ card }) => card)
    const isSame = cards.length === this.#cards.length && cards.every((card, index) => card === this.#cards[index])
    if (!isSame) this.#cards = Object.freeze(cards)
    return !isSame
  }

  /** Returns the error for a tool that was left out of the last listing. */
  refusalOf(name: string): McpError | undefined {
    return this.#refused.get(name)
  }

  /** Returns a tool, or undefined for an unknown name. Throws `tool_refused` for a tool that was left out. */
  tool(name: string): Tool | undefined {
    const refusal = this.refusalOf(name)
    if (refusal !== undefined) throw refusal
    const listed = this.#listed.get(name)
    return listed && this.#toTool(listed)
  }

  /** Returns all usable tools. Reports the tools that can't be used. */
  tools(): readonly Tool[] {
    this.#all ??= Object.freeze(
      [...this.#listed.values()].flatMap((listed) => {
        try {
          return this.#toTool(listed)
        } catch (error) {
          this.#refuse(listed.name, error as McpError)
          return []
        }
      }),
    )
    return this.#all
  }

  async fingerprints(): Promise<ToolFingerprints> {
    const entries: [string, string][] = []
    for (const tool of this.#listed.values()) {
      const fingerprint = await this.#fingerprintOf(tool)
      if (fingerprint !== undefined) entries.push([tool.name, fingerprint])
    }
    return Object.fromEntries(entries)
  }

  /**
   * Pins the chosen tools with their current `definitions`. If `chosen` is undefined, pins all tools. Call `update` afterwards.
   */
  async approve(definitions: readonly Definition[], chosen: readonly string[] | ToolFingerprints | undefined): Promise<void> {
    const approved = isList(chosen) ? undefined : chosen && new Map(Object.entries(chosen))
    const pins = new Map(this.#pins)
    for (const [name, tool] of this.#toListed(definitions, new Map())) {
      if (isList(chosen) && !chosen.includes(name)) continue
      const fingerprint = await this.#fingerprintOf(tool)
      if (approved !== undefined && approved.get(name) !== fingerprint) continue
      if (fingerprint !== undefined) pins.set(name, fingerprint)
    }
    this.#pins = pins
  }

  /** Converts definitions to listed tools. For an unchanged definition, keeps the existing object with its card and its tool. */
  #toListed(definitions: readonly Definition[], rejected: Map<string, McpError>): Map<string, ListedTool> {
    const foreign = definitions.map(({ name }) => `${this.#settings.name}_${name}`)
    this.#names = foreignNames(foreign)
    const cards = this.#isFirst ? new Map(this.#cards.map((card) => [card.name, card])) : undefined
    const listed = new Map<string, ListedTool>()
    for (const [index, sent] of definitions.entries()) {
      const name = this.#names.toToolName(foreign[index] as string)
      const taken = listed.get(name)
      if (taken !== undefined || rejected.has(name)) {
        if (taken !== undefined && !isSameJson(taken.sent, sent))
          this.#refuse(shownName(sent.name), refused(this.#settings, sent, 'the server lists two tools with this name.'))
        continue
      }
      const before = this.#listed.get(name)
      if (before !== undefined && isSameJson(before.sent, sent)) {
        listed.set(name, before)
        continue
      }
      try {
        const definition = toReadable(sent, this.#settings)
        const card = toCard(name, definition, this.#settings)
        const given = cards?.get(name)
        const isKnown = given !== undefined && isSameJson(given, card)
        listed.set(name, { name, definition, sent, card: isKnown ? given : card })
      } catch (error) {
        rejected.set(name, error as McpError)
        if (!this.#refused.has(name)) this.#refuse(name, error as McpError)
      }
    }
    return listed
  }

  #refuse(tool: string, { message }: McpError): void {
    this.#report({ code: 'tool_refused', message, tool })
  }

  /** Reports the changes since the last listing. */
  async #compare(before: ReadonlyMap<string, ListedTool>, now: ReadonlyMap<string, ListedTool>): Promise<void> {
    if (this.#isFirst) return this.#compareCards(now)
    for (const tool of now.values()) {
      const earlier = before.get(tool.name)
      if (earlier === tool || this.#refused.has(tool.name)) continue
      const fingerprint = await this.#fingerprintOf(tool)
      if (earlier === undefined) this.#report({ code: 'tool_added', ...this.#about(tool.name, 'lists a new tool'), fingerprint })
      else this.#reportChange(tool.name, fingerprint, await this.#fingerprintOf(earlier))
    }
    for (const name of before.keys()) if (!now.has(name)) this.#reportRemoval(name)
  }

  /** Reports the differences from the cards in the options. Such reports have no fingerprints. */
  #compareCards(now: ReadonlyMap<string, ListedTool>): void {
    const known = new Set(this.#cards)
    if (known.size === 0) return
    const names = new Set(this.#cards.map(({ name }) => name))
    for (const { name, card } of now.values()) {
      if (known.has(card)) continue
      if (names.has(name)) this.#reportChange(name)
      else this.#report({ code: 'tool_added', ...this.#about(name, 'lists a new tool') })
    }
    for (const name of names) if (!now.has(name)) this.#reportRemoval(name)
  }

  #reportChange(name: string, fingerprint?: string, before?: string): void {
    this.#report({ code: 'tool_changed', ...this.#about(name, 'changed the tool'), fingerprint, before })
  }

  #reportRemoval(name: string): void {
    this.#report({ code: 'tool_removed', ...this.#about(name, 'no longer lists the tool') })
  }

  #about(tool: string, what: string): { readonly tool: string; readonly message: string } {
    return { tool, message: `The server ${what} "${tool}".` }
  }

  async #refusalOf(tool: ListedTool, pin: string | undefined): Promise<McpError | undefined> {
    const fingerprint = await this.#fingerprintOf(tool)
    if (fingerprint === undefined || fingerprint === pin) return undefined
    const message = `it ${pin === undefined ? "isn't pinned" : 'changed since it was pinned'}. Review it, and call approve.`
    const error = refused(this.#settings, tool.definition, message)
    const about = { message: error.message, tool: tool.name, fingerprint, before: pin }
    if (!this.#refused.has(tool.name)) this.#report({ code: pin === undefined ? 'tool_added' : 'tool_changed', ...about })
    return error
  }

  /** Fingerprints a tool. Returns undefined for a definition that can't become a tool, which is refused in any case. */
  async #fingerprintOf(listed: ListedTool): Promise<string | undefined> {
    try {
      const tool = this.#toTool(listed)
      return await fingerprintOf({ ...tool, output: listed.definition.outputSchema as never })
    } catch {
      return undefined
    }
  }

  #toTool(listed: ListedTool): Tool {
    const known = this.#tools.get(listed) ?? toTool(listed.name, listed.definition, this.#settings, this.#executeOf(listed))
    this.#tools.set(listed, known)
    return known
  }
}

function isList(value: unknown): value is readonly string[] {
  return Array.isArray(value)
}
