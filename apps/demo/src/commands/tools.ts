/** Lists the tools of the domains with their arguments. */
import { createRegistry } from '@x/registry'
import type { Tool, ToolArgument } from '@x/tool-core'
import type { DomainEntry } from '../domains/domain.ts'
import { loadDomain } from '../domains/load-domain.ts'
import { createDatabase } from '../sql/database.ts'
import { IN_MEMORY } from '../sql/place.ts'
import { wrap } from '../view/plain-text.ts'
import type { Terminal } from '../view/terminal.ts'

/** Lists the tools. Imports only the given domains, and opens no database. */
export async function listTools(entries: readonly DomainEntry[], terminal: Terminal): Promise<void> {
  const database = createDatabase({ kind: 'sqlite', file: IN_MEMORY })
  for (const entry of entries) {
    const domain = await loadDomain(entry)
    const tools = await createRegistry(domain.createTools(database), { name: domain.name }).resolve()
    terminal.line()
    terminal.line(terminal.paint('bold', `${entry.title} (${entry.name})`))
    for (const tool of tools.values()) showTool(tool, terminal)
  }
}

function showTool({ name, description, effect, needsApproval, arguments: list }: Tool, { line, paint, width }: Terminal): void {
  const traits = [effect, needsApproval && 'requires approval'].filter(Boolean).join(', ')
  const [first = '', ...rest] = wrap(`${name}  ${description}${traits === '' ? '' : ` [${traits}]`}`, width - 6)
  line(`  ${paint('bold', name)}${first.slice(name.length)}`)
  for (const text of rest) line(`      ${text}`)
  for (const argument of list)
    for (const [position, text] of wrap(describe(argument), width - 6).entries())
      line(`${position === 0 ? '    ' : '      '}${text}`)
}

function describe(argument: ToolArgument): string {
  const { name, type, description, required } = argument
  const use = 'default' in argument ? `default ${JSON.stringify(argument.default)}` : required ? 'required' : 'optional'
  return `${name}: ${type}, ${use}${description === '' ? '' : `. ${description}`}`
}
