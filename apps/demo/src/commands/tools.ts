/** Lists the tools of the domains with their arguments. */
import { createRegistry } from '@x/registry'
import type { Tool, ToolArgument } from '@x/tool-core'
import { type DomainEntry, loadDomain } from '../domains/index.ts'
import { IN_MEMORY } from '../sql/sqlite-client.ts'
import type { Terminal } from '../view/terminal.ts'

/** Imports the given domains and no other; opens no database. */
export async function listTools(entries: readonly DomainEntry[], terminal: Terminal): Promise<void> {
  for (const entry of entries) {
    const domain = await loadDomain(entry)
    const tools = await createRegistry(domain.createTools({ database: IN_MEMORY }), { name: domain.name }).resolve()
    terminal.line()
    terminal.line(terminal.paint('bold', `${entry.title} (${entry.name})`))
    for (const tool of tools.values()) showTool(tool, terminal)
  }
}

function showTool({ name, description, effect, arguments: list }: Tool, { line, paint }: Terminal): void {
  line(`  ${paint('cyan', name)}  ${description}${effect === undefined ? '' : paint('dim', ` [${effect}]`)}`)
  for (const argument of list) line(`    ${describe(argument)}`)
}

function describe(argument: ToolArgument): string {
  const { name, type, description, required } = argument
  const use = 'default' in argument ? `default ${JSON.stringify(argument.default)}` : required ? 'required' : 'optional'
  return `${name}: ${type}, ${use}${description === '' ? '' : `. ${description}`}`
}
