/** Creates a request's tool specs from the tools in a signature's inputs. */
import { insteadOf, isTool, type Tool, type ToolSpec, toSpec, valueAt } from '@x/tool-core'
import { AdapterError } from '../adapter-error.ts'
import type { Signature } from '../signature/signature.ts'
import { fieldKind, isToolKind } from '../signature/tool-fields.ts'

/**
 * Returns the specs of the tools in the tool fields, in order and without duplicates. The specs of a frozen array are cached.
 * Throws `invalid_tool_spec` for a value that isn't a complete tool, and `invalid_tool_fields` for two tools with the same name.
 */
export function toolSpecsIn(signature: Signature, inputs: object): readonly ToolSpec[] {
  const lists: ToolList[] = []
  for (const field of Object.keys(signature.inputs)) {
    if (isToolKind(fieldKind(signature.inputs[field]))) lists.push([field, valueAt(inputs, [field])])
  }
  const [only] = lists
  if (only === undefined || lists.length > 1 || !Array.isArray(only[1]) || !Object.isFrozen(only[1])) return specsOf(lists)
  const known = specsOfFrozen.get(only[1]) ?? specsOf(lists)
  specsOfFrozen.set(only[1], known)
  return known
}

type ToolList = readonly [field: string, tools: unknown]

const specsOfFrozen = new WeakMap<readonly unknown[], readonly ToolSpec[]>()

function specsOf(lists: readonly ToolList[]): readonly ToolSpec[] {
  const tools = new Map<string, Tool>()
  for (const [field, value] of lists) {
    const list: readonly unknown[] = Array.isArray(value) ? value : value === undefined || value === null ? [] : [value]
    for (const [index, tool] of list.entries()) {
      const place: Place = { field, index, path: Array.isArray(value) ? `/${field}/${index}` : `/${field}` }
      assertTool(tool, place)
      const other = tools.get(tool.name)
      if (other !== undefined && other !== tool) throw twoOfOneName(tool.name, place)
      tools.set(tool.name, tool)
    }
  }
  return Object.freeze([...tools.values()].map(toSpec))
}

interface Place {
  readonly field: string
  readonly index: number
  readonly path: string
}

/**
 * Throws unless the value is a complete tool. Checks each property, because a copy such as `{ ...tool, description: undefined }`
 * still has the mark of a tool.
 */
function assertTool(value: unknown, place: Place): asserts value is Tool {
  if (!isTool(value)) throw invalidSpec(place, '', `it is not a tool. ${insteadOf(value)}`)
  const { name, description, args } = value as Partial<Tool>
  if (typeof name !== 'string' || name === '') throw invalidSpec(place, '/name', 'it has no name. Create it with defineTool.')
  if (typeof description !== 'string' || description.trim() === '')
    throw invalidSpec(place, '/description', `"${name}" has no description. Describe in one sentence what it does.`)
  if (typeof args !== 'object' || args === null)
    throw invalidSpec(place, '/args', `"${name}" has no args schema. Write Type.Object({}) for a tool without arguments.`)
}

function invalidSpec({ field, index, path }: Place, below: string, words: string): AdapterError {
  return new AdapterError('invalid_tool_spec', `Input "${field}", tool ${index}: ${words}`, { field, path: `${path}${below}` })
}

function twoOfOneName(name: string, { field, index, path }: Place): AdapterError {
  const words = `Input "${field}", tool ${index}: there is already a tool named "${name}". Rename one.`
  return new AdapterError('invalid_tool_fields', words, { field, path: `${path}/name` })
}
