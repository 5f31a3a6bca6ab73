/** The workload of the `mcp` bench: connect, list all tools, disconnect. */
import type { Workload } from '../bench.ts'

export interface ListingSize {
  /** Number of tools: `lookup_0`, `lookup_1` and so on. */
  readonly count: number
  readonly pageSize: number
}

export interface ListedTool {
  readonly name: string
  readonly description?: string | undefined
  readonly inputSchema: object
}

export interface Listing {
  /** Connects, lists all tools and disconnects. */
  list(): Promise<readonly ListedTool[]>
  /** Stops the server. */
  close(): Promise<void>
}

export interface ListingSubject {
  /** Starts a server for tools with these definitions. */
  serve(definitions: readonly ListedTool[], pageSize: number): Promise<Listing>
}

export async function openListing(
  subject: ListingSubject,
  { count, pageSize }: ListingSize,
): Promise<Workload & Pick<Listing, 'close'>> {
  const definitions = Array.from({ length: count }, (_, index) => definitionOf(index))
  const { list, close } = await subject.serve(definitions, pageSize)
  const check = (tools: readonly ListedTool[]) => {
    if (tools.length !== count) throw new Error(`${tools.length} tools were listed, not ${count}.`)
    const [last, expected] = [tools[count - 1], definitions[count - 1]]
    if (last?.name !== expected?.name) throw new Error(`The last tool is ${last?.name}, not ${expected?.name}.`)
  }
  return {
    units: count,
    async verify() {
      const tools = await list()
      check(tools)
      for (const [index, tool] of tools.entries()) assertSame(tool, definitions[index])
    },
    run: async () => check(await list()),
    close,
  }
}

function definitionOf(index: number): ListedTool {
  return {
    name: `lookup_${index}`,
    description: `Looks up products in the catalog of a shop, variant ${index}, and returns at most the requested number of them.`,
    inputSchema: {
      type: 'object',
      properties: {
        query: { type: 'string', minLength: 1, description: 'What to look up.' },
        limit: { type: 'integer', minimum: 1, maximum: 10 + index },
        order: { type: 'string', enum: ['price', 'name', 'age'] },
      },
      required: ['query'],
    },
  }
}

/**
 * Throws if the tools differ. Compares the sorted characters of their JSON texts, because a client may change only the
 * order of keywords.
 */
function assertSame(tool: ListedTool, expected: ListedTool | undefined): void {
  const [got, wanted] = [tool, expected].map((one) =>
    [...JSON.stringify([one?.name, one?.description, one?.inputSchema])].sort().join(''),
  )
  if (got !== wanted) throw new Error(`${expected?.name} was listed as ${JSON.stringify(tool)}.`)
}
