/** Random programs for a tool that makes calls. */
import type { ToolContext } from '@x/tool-core'

export type Node =
  | { readonly type: 'call'; readonly tool: string; readonly value: number }
  | { readonly type: 'ask'; readonly key: string; readonly value: number }
  /** Calls a tool that is a program of its own. */
  | { readonly type: 'sub'; readonly tool: string; readonly node: Node }
  | { readonly type: 'seq' | 'all' | 'settled' | 'race' | 'any' | 'stream'; readonly nodes: readonly Node[] }
  /** Calls a tool that fails a number of times before it succeeds. */
  | { readonly type: 'retry'; readonly value: number; readonly failures: number }
  | { readonly type: 'if'; readonly test: Node; readonly yes: Node; readonly no: Node }
  | { readonly type: 'caught'; readonly node: Node }
  /** Waits for many microtasks before it returns the node's result. */
  | { readonly type: 'linger'; readonly node: Node; readonly turns: number }
  /** Starts a node without awaiting it. */
  | { readonly type: 'spare'; readonly node: Node }
  /** Adds results to a list in the order in which they arrive. */
  | { readonly type: 'log'; readonly node: Node }

type Random = () => number

const TOOLS = ['look', 'look', 'put', 'pay', 'order', 'fail', 'clerk', 'locate']

export class Programs {
  readonly #random: Random
  #value = 0

  constructor(random: Random) {
    this.#random = random
  }

  next(): Node {
    this.#value = 0
    return this.#node(3, ['inner', 'innermost'])
  }

  #node(depth: number, subs: readonly string[]): Node {
    const kind = this.#random()
    if (depth === 0 || kind < 0.2) return this.#leaf()
    const below = () => this.#node(depth - 1, subs)
    const several = () => Array.from({ length: 2 + this.#below(3) }, below)
    if (kind < 0.35) return { type: 'seq', nodes: several() }
    if (kind < 0.5) return { type: 'all', nodes: several().map((node) => ({ type: 'caught', node })) }
    if (kind < 0.55) return { type: 'all', nodes: several() }
    if (kind < 0.62) return { type: 'settled', nodes: several() }
    if (kind < 0.69) return { type: 'race', nodes: several() }
    if (kind < 0.74) return { type: 'any', nodes: several() }
    if (kind < 0.79) return { type: 'stream', nodes: several() }
    if (kind < 0.83) return { type: 'if', test: below(), yes: below(), no: below() }
    if (kind < 0.87) return { type: 'caught', node: below() }
    if (kind < 0.9) return { type: 'spare', node: below() }
    if (kind < 0.94) return { type: 'log', node: below() }
    const [tool, ...rest] = subs
    return tool === undefined ? this.#leaf() : { type: 'sub', tool, node: this.#node(depth - 1, rest) }
  }

  #leaf(): Node {
    const value = ++this.#value
    const kind = this.#random()
    if (kind < 0.2) return { type: 'ask', key: `k${value}`, value }
    if (kind < 0.3) return { type: 'retry', value, failures: this.#below(3) }
    const call: Node = { type: 'call', tool: TOOLS[this.#below(TOOLS.length)] as string, value }
    return kind < 0.8 ? call : { type: 'linger', node: call, turns: this.#below(200) }
  }

  #below(limit: number): number {
    return Math.floor(this.#random() * limit)
  }
}

/** Returns true if the output can't depend on the order in which results arrive. */
export function isOrderFree(node: Node): boolean {
  switch (node.type) {
    case 'call':
    case 'ask':
    case 'retry':
      return true
    case 'race':
    case 'any':
    case 'log':
      return false
    case 'if':
      return isOrderFree(node.test) && isOrderFree(node.yes) && isOrderFree(node.no)
    case 'sub':
    case 'caught':
    case 'linger':
    case 'spare':
      return isOrderFree(node.node)
    case 'all':
      // If several nodes fail, the first failure counts.
      return node.nodes.every((each) => each.type === 'caught' && isOrderFree(each))
    default:
      return node.nodes.every(isOrderFree)
  }
}

/** Executes a program. The result is JSON. */
export async function runProgram(node: Node, context: ToolContext): Promise<unknown> {
  const log: unknown[] = []
  const run = async (each: Node): Promise<unknown> => {
    switch (each.type) {
      case 'call':
        return await context.call({ name: each.tool, args: { value: each.value } })
      case 'ask': {
        const schema = { type: 'object', properties: { reply: { type: 'integer' } }, required: ['reply'] }
        return await context.ask({ key: each.key, message: `What about ${each.value}?`, schema: schema as never })
      }
      case 'sub':
        return await context.call({ name: each.tool, args: { program: JSON.stringify(each.node) } })
      case 'seq': {
        const results: unknown[] = []
        for (const next of each.nodes) results.push(await run(next))
        return results
      }
      case 'all':
        return await Promise.all(each.nodes.map(run))
      case 'settled':
        return (await Promise.allSettled(each.nodes.map(run))).map((end) =>
          end.status === 'fulfilled' ? end.value : codeOf(end.reason),
        )
      case 'race':
        return await Promise.race(each.nodes.map(run))
      case 'any':
        return await Promise.any(each.nodes.map(run)).catch(() => 'none')
      case 'stream': {
        const results: unknown[] = []
        const runs = each.nodes.map((next) => run(next).catch(codeOf))
        for await (const result of runs) results.push(result)
        return results
      }
      case 'retry':
        for (let attempt = 0; ; attempt++)
          try {
            return await context.call({ name: 'flaky', args: { value: each.value, attempt, failures: each.failures } })
          } catch (error) {
            if (attempt >= 2) throw error
          }
      case 'if': {
        const tested = JSON.stringify(await run(each.test).catch(codeOf)) ?? ''
        return await run(tested.length % 2 === 0 ? each.yes : each.no)
      }
      case 'caught':
        return await run(each.node).catch(codeOf)
      case 'linger': {
        const result = await run(each.node)
        for (let turn = 0; turn < each.turns; turn++) await null
        return result
      }
      case 'spare':
        run(each.node).catch(() => {})
        return 'spared'
      case 'log': {
        const result = await run(each.node).finally(() => log.push('seen'))
        log.push(result)
        return [result, log.length]
      }
    }
  }
  const output = await run(node).catch((error: unknown) => ({ failed: codeOf(error) }))
  return { output, log }
}

function codeOf(error: unknown): unknown {
  return { code: (error as { readonly code?: unknown }).code ?? String(error) }
}
