/** Calls tools in the way that an agent does. */
import { type CallOptions, callTool, type ToolResult } from '@x/tool-core'
import { onTestFinished } from 'vitest'
import { type McpOptions, type McpReport, type McpServer, type McpSource, mcp } from '../src/index.ts'

export interface Connected {
  readonly source: McpSource
  readonly reports: McpReport[]
  call(name: string, args?: object, options?: CallOptions): Promise<ToolResult>
}

/** Timeouts that no test reaches, although starting a server may take a minute on a busy machine. */
export const PATIENT: McpOptions = { timeoutMs: 600_000, connectTimeoutMs: 600_000 }

/** Connects a source that is closed after the test, and collects its reports. */
export function connect(server: McpServer, options: McpOptions = {}): Connected {
  const reports: McpReport[] = []
  const source = mcp('shop', server, { ...PATIENT, onReport: (report) => reports.push(report), ...options })
  onTestFinished(() => source.close())
  return {
    source,
    reports,
    async call(name, args = {}, given) {
      const tool = await source.tool(name)
      if (tool === undefined) throw new Error(`no tool ${name}`)
      return callTool(tool, { id: 'call', name, args: args as Record<string, unknown> }, given)
    },
  }
}

/** Returns the text or the parts of a successful call that the model reads. */
export function shown(result: ToolResult): unknown {
  return result.ok ? result.modelOutput : result.error.message
}

export function failure(result: ToolResult): { readonly code: string; readonly reason?: string | undefined; message: string } {
  if (result.ok) throw new Error('the call succeeded')
  return result.error
}
