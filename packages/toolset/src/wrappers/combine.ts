/** A wrapper that combines several sources and tools into one source. */
import {
  holdSource,
  insteadOf,
  isTool,
  isToolName,
  isToolSource,
  SOURCE_PARTS,
  type Tool,
  ToolError,
  type ToolSource,
} from '@x/tool-core'
import { shown } from '../option.ts'
import { type DistinctParts, findClash } from './distinct.ts'
import { isLazy } from './lazy.ts'
import { closeAll, openAll } from './lifecycle.ts'
import {
  type DerivedSource,
  hasLifecycle,
  isPromise,
  lifecycleOf,
  listTools,
  NOTHING_TO_CLOSE,
  type Relisted,
  type SourceTool,
} from './source.ts'

/** What `combine` accepts: a source, or a single tool. */
export type Part = Tool | ToolSource

export type PartTool<P extends Part> = P extends Tool ? P : P extends ToolSource ? SourceTool<P> : never

type PartListing<P extends Part> = P extends ToolSource ? ReturnType<P['tools']> : readonly Tool[]

export type Combined<P extends Part> = DerivedSource<Relisted<PartListing<P>, PartTool<P>>>

/**
 * Combines the tools and the instructions of all parts into one source, in order. The source opens its parts in order, and closes them in
 * reverse order. If a part fails to open, the parts before it are closed.
 *
 * Two tools with the same name are a compile error if the names are literal. Otherwise, `tools()` throws an `invalid_definition` error that
 * names both owners. Case is ignored. A tool that occurs twice is listed once.
 */
export function combine<const Parts extends readonly Part[]>(...parts: Parts & DistinctParts<Parts>): Combined<Parts[number]> {
  parts.forEach(assertPart)
  const sources = parts.filter(isToolSource)
  const holds = sources.map(holdSource)
  const joined = (texts: readonly (string | undefined)[], separator: string) =>
    [...new Set(texts.filter((text) => text !== undefined && text !== ''))].join(separator) || undefined
  const source: ToolSource = {
    get name() {
      return joined(
        sources.map(({ name }) => name),
        ' + ',
      )
    },
    get instructions() {
      return joined(
        sources.map(({ instructions }) => instructions),
        '\n\n',
      )
    },
    tools: () => listParts(parts),
    ...(sources.some(isLazy) && { [SOURCE_PARTS]: parts }),
    ...(sources.some(({ onChange }) => onChange !== undefined) && {
      onChange(listener: () => void) {
        const stops = sources.map((one) => one.onChange?.(listener))
        return () => {
          for (const stop of stops) stop?.()
        }
      },
    }),
    ...(sources.some(hasLifecycle)
      ? lifecycleOf({ open: () => openAll(holds), close: () => closeAll(holds) })
      : NOTHING_TO_CLOSE),
  }
  return Object.freeze(source) as never
}

function assertPart(part: unknown, index: number): void {
  if (isTool(part) || isToolSource(part)) return
  const fix = isToolName(part)
    ? insteadOf(part)
    : Array.isArray(part)
      ? 'Spread it: combine(...tools).'
      : 'Pass the result of defineTool or defineToolset, or a Toolset.'
  throw new ToolError(
    'invalid_definition',
    `combine: part ${index + 1} must be a tool or a tool source, got ${shown(part)}. ${fix}`,
  )
}

interface Listed {
  readonly tool: Tool
  readonly part: Part
  readonly position: number
}

function listParts(parts: readonly Part[]): readonly Tool[] | Promise<readonly Tool[]> {
  const listings: (readonly Tool[] | Promise<readonly Tool[]>)[] = []
  try {
    for (const part of parts) listings.push(isTool(part) ? [part] : listTools('combine', part))
  } catch (error) {
    // The earlier listings are no longer awaited, so their rejections would be unhandled.
    for (const listing of listings) if (isPromise(listing)) listing.catch(() => {})
    throw error
  }
  const join = (lists: readonly (readonly Tool[])[]) =>
    distinctTools(lists.flatMap((list, index) => list.map((tool) => ({ tool, part: parts[index] as Part, position: index + 1 }))))
  return listings.some(isPromise) ? Promise.all(listings).then(join) : join(listings as readonly (readonly Tool[])[])
}

function distinctTools(listed: readonly Listed[]): readonly Tool[] {
  const clash = findClash(listed)
  if (clash !== undefined) throw nameClash(clash.first, clash.second)
  return [...new Set(listed.map(({ tool }) => tool))]
}

function nameClash(first: Listed, second: Listed): ToolError {
  const isOnePart = first.part === second.part
  const names =
    first.tool.name === second.tool.name
      ? `${isOnePart ? 'two tools' : 'a tool'} named "${second.tool.name}"`
      : `tools whose names differ only in case, "${first.tool.name}" and "${second.tool.name}"`
  const owners = isOnePart ? `${describeOwner(second)} has` : `${describeOwner(first)} and ${describeOwner(second)} both have`
  return new ToolError('invalid_definition', `combine: ${owners} ${names}. To fix: ${fixOf(first, second)}.`)
}

function describeOwner({ tool, part, position }: Listed): string {
  if (isTool(part)) return `the tool "${tool.name}" (part ${position})`
  return part.name === undefined ? `part ${position}` : `"${part.name}" (part ${position})`
}

/** Returns code that renames the tools of the later source. If both parts are plain tools, it renames the later tool. */
function fixOf(first: Listed, second: Listed): string {
  const { tool, part } = isTool(second.part) && !isTool(first.part) ? first : second
  if (isTool(part)) return `deriveTool(${tool.name}, { name: '…' })`
  const source = isToolName(part.name) ? part.name : 'source'
  return `prefixed(${source}, 'other') or renamed(${source}, { ${tool.name}: '…' })`
}
