/** Misuses of @x/code. Each one must be a type error. */
import { CodeError, codeTool } from '@x/code'
import type { Tool } from '@x/tool-core'

declare const tool: Tool

// @ts-expect-error a code must be in the union
new CodeError('no_such_code', 'message')
// @ts-expect-error there is no such limit
codeTool([tool], { limits: { cpu: 1 } })
// @ts-expect-error allow is a list
codeTool([tool], { allow: 'get_*' })
// @ts-expect-error a name isn't a tool
codeTool(['get_weather'])
// @ts-expect-error the tool has the name that was given
export const name: 'run_code' = codeTool([tool], { name: 'program' }).name
